import { onesOf } from '../core/bit-set.ts';

/** Told of a similar pair. Across two lists, false ends the search for that left set. */
type Visit = (a: number, b: number, jaccard: number) => unknown;

/** The members of a set, in any order; one that is named twice counts once. */
type Members = readonly string[];

/**
 * Visit every pair of sets whose Jaccard similarity reaches the threshold, exactly, `a` before `b`, in the order of `b`.
 * Only sets that share one of their rarest members are compared: two sets that similar must. Empty sets pair with nothing.
 * Memory: the members of all sets as numbers; pairs are not kept, as a template can make every pair one.
 *
 * @param threshold - above 0, up to 1
 * @source Chaudhuri, Ganti & Kaushik 2006, prefix filtering; Xiao et al. 2008, by position; Sandes et al. 2020, by bitmap
 */
export function visitSimilarSets(sets: readonly Members[], threshold: number, visit: Visit): void {
  const [ranked = []] = rankMembers([sets], rarestFirst);
  const index = prefixIndex(ranked, threshold);
  for (const [b, set] of ranked.entries()) {
    index.probe(set, b, (a, jaccard) => visit(a, b, jaccard));
    index.add(b);
  }
}

/**
 * Visit the pairs of a set of the left list with a similar one of the right list, as `visitSimilarSets` does. Of members as
 * rare the first by name comes first: which of a left set's pairs is visited first does not hang on the order of the sets.
 */
export function visitSimilarAcross(
  left: readonly Members[],
  right: readonly Members[],
  threshold: number,
  visit: Visit,
): void {
  const [own = [], others = []] = rankMembers([left, right], rarestByName);
  const index = prefixIndex(others, threshold);
  for (const b of others.keys()) index.add(b);
  for (const [a, set] of own.entries()) index.probe(set, a, (b, jaccard) => visit(a, b, jaccard));
}

/** A set as numbers, the rarest member of all sets lowest, and as 64 bits that tell most different sets apart. */
interface RankedSet {
  readonly members: Int32Array;
  readonly low: number;
  readonly high: number;
}

function prefixIndex(sets: readonly RankedSet[], threshold: number) {
  /** By member, the sets that have it in their prefix, by where it stands there. */
  const holders = new Map<number, number[][]>();
  const met = new Int32Array(sets.length).fill(-1);
  const sizes = Int32Array.from(sets, ({ members }) => members.length);
  const lows = Int32Array.from(sets, ({ low }) => low);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const prefixOf = (size: number) => (size === 0 ? 0 : Math.floor((1 - threshold) * size + 1e-9) + 1);
  const needed = (both: number) => Math.ceil((threshold * both) / (1 + threshold) - 1e-9);
  /** By the sizes of two sets together, the members that only one of them may have. */
  let spare = new Int32Array(0);
  const makeSpare = (size: number) => {
    if (spare.length <= size + largest)
      spare = Int32Array.from({ length: 2 * (size + largest) + 1 }, (_, both) => both - 2 * needed(both));
  };
  return {
    add(at: number): void {
      const { members } = sets[at] as RankedSet;
      for (let place = 0; place < prefixOf(members.length); place++) {
        const member = members[place] as number;
        const places = holders.get(member) ?? [];
        if (places.length === 0) holders.set(member, places);
        while (places.length <= place) places.push([]);
        places[place]?.push(at);
      }
    },
    probe({ members, low, high }: RankedSet, by: number, found: (other: number, jaccard: number) => unknown): void {
      const size = members.length;
      makeSpare(size);
      const longest = Math.min(largest, Math.floor(size / threshold + 1e-9));
      const most = Math.floor(((1 - threshold) / (1 + threshold)) * (size + longest) + 1e-9);
      for (let place = 0; place < prefixOf(size); place++) {
        const places = holders.get(members[place] as number) ?? [];
        // what stands before the first member that two sets share, only one of them has
        for (let there = 0; there < Math.min(places.length, most - place + 1); there++) {
          const having = places[there] as number[];
          for (let n = 0; n < having.length; n++) {
            const other = having[n] as number;
            const both = size + (sizes[other] as number);
            const differing = onesOf(low ^ (lows[other] as number)); // at the least
            if (differing > (spare[both] as number) || met[other] === by) continue;
            met[other] = by;
            const candidate = sets[other] as RankedSet;
            if (differing + onesOf(high ^ candidate.high) > (spare[both] as number)) continue;
            const jaccard = jaccardOf(candidate.members, members, needed(both));
            if (jaccard >= threshold - 1e-9 && found(other, jaccard) === false) return;
          }
        }
      }
    },
  };
}

/** Members, as numbers, the one that fewest sets have first. */
type Order = (counts: readonly number[], names: readonly string[]) => Int32Array;

function rankMembers(lists: readonly (readonly Members[])[], order: Order): readonly (readonly RankedSet[])[] {
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const last: number[] = [];
  let seen = 0;
  const numbered = lists.map((sets) =>
    sets.map((members) => {
      seen++;
      const distinct: number[] = [];
      for (const member of members) {
        const number = numbers.get(member) ?? numbers.size;
        if (number === numbers.size) {
          numbers.set(member, number);
          counts.push(0);
          last.push(0);
        }
        if (last[number] === seen) continue;
        last[number] = seen;
        counts[number] = (counts[number] as number) + 1;
        distinct.push(number);
      }
      return distinct;
    }),
  );
  const rarest = order(counts, [...numbers.keys()]);
  const ranks = new Int32Array(rarest.length);
  for (let rank = 0; rank < rarest.length; rank++) ranks[rarest[rank] as number] = rank;
  return numbered.map((sets) => sets.map((distinct) => rankedSet(distinct, ranks)));
}

/** Counted into place: members as rare as each other stay in the order they were met. */
function rarestFirst(counts: readonly number[]): Int32Array {
  const places = new Int32Array(counts.reduce((most, count) => Math.max(most, count), 0) + 2);
  for (const count of counts) places[count + 1] = (places[count + 1] as number) + 1;
  for (let count = 1; count < places.length; count++)
    places[count] = (places[count] as number) + (places[count - 1] as number);
  const order = new Int32Array(counts.length);
  for (let member = 0; member < counts.length; member++) {
    const count = counts[member] as number;
    const place = places[count] as number;
    order[place] = member;
    places[count] = place + 1;
  }
  return order;
}

function rarestByName(counts: readonly number[], names: readonly string[]): Int32Array {
  return Int32Array.from(names.keys()).sort(
    (a, b) => (counts[a] as number) - (counts[b] as number) || ((names[a] as string) < (names[b] as string) ? -1 : 1),
  );
}

function rankedSet(distinct: readonly number[], ranks: Int32Array): RankedSet {
  const members = new Int32Array(distinct.length);
  let [low, high] = [0, 0];
  for (let at = 0; at < distinct.length; at++) {
    const rank = ranks[distinct[at] as number] as number;
    members[at] = rank;
    if (rank & 32) high |= 1 << (rank & 31);
    else low |= 1 << (rank & 31);
  }
  return { members: members.sort(), low, high };
}

function jaccardOf(a: Int32Array, b: Int32Array, needed: number): number {
  let [i, j, shared] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (shared + Math.min(a.length - i, b.length - j) < needed) return 0; // cannot reach it any more
    const order = (a[i] as number) - (b[j] as number);
    if (order === 0) shared++;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return shared / (a.length + b.length - shared);
}
