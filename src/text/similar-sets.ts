/**
 * Visit every pair of sets whose Jaccard similarity reaches the threshold, exactly, `a` before `b`, in the order of `b`.
 * Only sets that share one of their rarest tokens are compared: two sets that similar must. Empty sets pair with nothing.
 * Memory: the tokens of all sets as numbers; pairs are not kept, as a template can make every pair one.
 *
 * @param threshold - above 0, up to 1
 * @source Chaudhuri, Ganti & Kaushik 2006, prefix filtering
 */
export function visitSimilarSets(
  sets: readonly ReadonlySet<string>[],
  threshold: number,
  visit: (a: number, b: number, jaccard: number) => void,
): void {
  const ranked = rankTokens(sets);
  const holders = new Map<number, number[]>();
  const met = new Int32Array(sets.length).fill(-1);
  ranked.forEach((set, b) => {
    const prefix = set.subarray(0, set.length === 0 ? 0 : Math.floor((1 - threshold) * set.length + 1e-9) + 1);
    for (const token of prefix) {
      const known = holders.get(token);
      if (!known) holders.set(token, [b]);
      for (const a of known ?? []) {
        if (met[a] === b) continue;
        met[a] = b;
        const jaccard = jaccardOf(ranked[a] as Int32Array, set, threshold);
        if (jaccard >= threshold - 1e-9) visit(a, b, jaccard);
      }
      known?.push(b);
    }
  });
}

/** Each set as sorted numbers, the rarest token lowest. */
function rankTokens(sets: readonly ReadonlySet<string>[]): readonly Int32Array[] {
  const frequency = new Map<string, number>();
  for (const set of sets) for (const token of set) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const rarest = [...frequency].sort(([x, n], [y, m]) => n - m || (x < y ? -1 : 1));
  const rank = new Map(rarest.map(([token], at) => [token, at]));
  return sets.map((set) => Int32Array.from(set, (token) => rank.get(token) ?? 0).sort());
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
