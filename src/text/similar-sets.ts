/** Told of a similar pair. Across two lists, false ends the search for that left set. */
type Visit = (a: number, b: number, jaccard: number) => unknown;

/**
 * Visit every pair of sets whose Jaccard similarity reaches the threshold, exactly, `a` before `b`, in the order of `b`.
 * Only sets that share one of their rarest tokens are compared: two sets that similar must. Empty sets pair with nothing.
 * Memory: the tokens of all sets as numbers; pairs are not kept, as a template can make every pair one.
 *
 * @param threshold - above 0, up to 1
 * @source Chaudhuri, Ganti & Kaushik 2006, prefix filtering
 */
export function visitSimilarSets(sets: readonly ReadonlySet<string>[], threshold: number, visit: Visit): void {
  const [ranked = []] = rankTokens([sets]);
  const index = prefixIndex(ranked, threshold);
  ranked.forEach((set, b) => {
    index.probe(set, b, (a, jaccard) => visit(a, b, jaccard));
    index.add(set, b);
  });
}

/** Visit the pairs of a set of the left list with a similar one of the right list, as `visitSimilarSets` does. */
export function visitSimilarAcross(
  left: readonly ReadonlySet<string>[],
  right: readonly ReadonlySet<string>[],
  threshold: number,
  visit: Visit,
): void {
  const [own = [], others = []] = rankTokens([left, right]);
  const index = prefixIndex(others, threshold);
  others.forEach(index.add);
  own.forEach((set, a) => {
    index.probe(set, a, (b, jaccard) => visit(a, b, jaccard));
  });
}

function prefixIndex(sets: readonly Int32Array[], threshold: number) {
  const holders = new Map<number, number[]>();
  const met = new Int32Array(sets.length).fill(-1);
  const prefixOf = (set: Int32Array): Int32Array =>
    set.subarray(0, set.length === 0 ? 0 : Math.floor((1 - threshold) * set.length + 1e-9) + 1);
  return {
    add(set: Int32Array, at: number): void {
      for (const token of prefixOf(set)) {
        const known = holders.get(token);
        if (known) known.push(at);
        else holders.set(token, [at]);
      }
    },
    probe(set: Int32Array, by: number, found: (other: number, jaccard: number) => unknown): void {
      for (const token of prefixOf(set))
        for (const other of holders.get(token) ?? []) {
          if (met[other] === by) continue;
          met[other] = by;
          const jaccard = jaccardOf(sets[other] as Int32Array, set, threshold);
          if (jaccard >= threshold - 1e-9 && found(other, jaccard) === false) return;
        }
    },
  };
}

/** Each set as sorted numbers, the rarest token of all lists lowest. */
function rankTokens(lists: readonly (readonly ReadonlySet<string>[])[]): readonly (readonly Int32Array[])[] {
  const frequency = new Map<string, number>();
  for (const sets of lists)
    for (const set of sets) for (const token of set) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const rarest = [...frequency].sort(([x, n], [y, m]) => n - m || (x < y ? -1 : 1));
  const rank = new Map(rarest.map(([token], at) => [token, at]));
  return lists.map((sets) => sets.map((set) => Int32Array.from(set, (token) => rank.get(token) ?? 0).sort()));
}

function jaccardOf(a: Int32Array, b: Int32Array, threshold: number): number {
  const needed = Math.ceil((threshold * (a.length + b.length)) / (1 + threshold) - 1e-9);
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
