/** Estimates for one task of `n` judged rollouts of which `c` pass. */
export interface PassAtK {
  /** Probability that at least one of k rollouts passes. */
  readonly pass_at_k: number;
  /** Probability that all k rollouts pass. */
  readonly pass_pow_k: number;
}

/**
 * Estimate pass@k and pass^k of one task without bias: 1 - C(n-c, k) / C(n, k) and C(c, k) / C(n, k). Exact to the last
 * rounding while C(n, k) is below 2^53, within k roundings beyond. Needs k <= n.
 *
 * @source Chen et al. 2021, arXiv 2107.03374 (pass@k); Yao et al. 2024, arXiv 2406.12045 (pass^k)
 */
export function passAtK(n: number, c: number, k: number): PassAtK {
  return { pass_at_k: 1 - chosenShare(n - c, n, k), pass_pow_k: chosenShare(c, n, k) };
}

/** C(some, k) / C(all, k): how often k of `all` drawn without putting back are all among `some`. */
function chosenShare(some: number, all: number, k: number): number {
  if (k > some) return 0;
  const [part, whole] = [choose(some, k), choose(all, k)];
  if (Number.isSafeInteger(whole)) return part / whole;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= (some - drawn) / (all - drawn);
  return share;
}

function choose(n: number, k: number): number {
  const few = Math.min(k, n - k);
  let ways = 1;
  for (let at = 1; at <= few && Number.isSafeInteger(ways); at++) ways = (ways * (n - few + at)) / at; // always whole
  return ways;
}
