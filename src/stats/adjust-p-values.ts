/** The same p-values corrected for their number, two ways, in the order they came. */
export interface AdjustedPValues {
  /** Benjamini-Hochberg: controls the share of false findings among the findings. */
  readonly bh: readonly number[];
  /** Holm: controls the probability of even one false finding. */
  readonly holm: readonly number[];
}

/**
 * Correct p-values for how many there are.
 *
 * @source Benjamini & Hochberg 1995; Holm 1979
 */
export function adjustPValues(pValues: readonly number[]): AdjustedPValues {
  const n = pValues.length;
  const order = pValues.map((_, at) => at).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const bh = new Array<number>(n);
  const holm = new Array<number>(n);
  let least = 1;
  for (let rank = n; rank >= 1; rank--) {
    const at = order[rank - 1] as number;
    least = Math.min(least, ((pValues[at] as number) * n) / rank);
    bh[at] = least;
  }
  let most = 0;
  for (const [rank, at] of order.entries()) {
    most = Math.max(most, Math.min(1, (pValues[at] as number) * (n - rank)));
    holm[at] = most;
  }
  return { bh, holm };
}
