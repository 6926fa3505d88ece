import { z95 } from './quantiles.ts';

/** A lower and an upper end. */
export type Interval = readonly [low: number, high: number];

/**
 * Give the Wilson score interval of a proportion; null without trials.
 *
 * @param successes - of `n` independent trials; both may be fractions (an effective sample)
 * @param z - how many standard errors, 1.96 for 95 %
 * @source Brown, Cai & DasGupta 2001
 */
export function wilsonInterval(successes: number, n: number, z = z95): Interval | null {
  if (!(n > 0)) return null;
  const share = successes / n;
  const square = z * z;
  const middle = (share + square / (2 * n)) / (1 + square / n);
  const half = (z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))) / (1 + square / n);
  // at 0 and n the end is the share itself; the formula misses it by a rounding error
  return [share === 0 ? 0 : Math.max(0, middle - half), share === 1 ? 1 : Math.min(1, middle + half)];
}
