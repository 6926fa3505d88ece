import { type Random, randomStream } from './random.ts';
import type { Interval } from './wilson.ts';

interface BootstrapOptions {
  /** Resamples drawn. */
  readonly nBoot?: number;
  readonly seed?: number;
}

/**
 * Give the 95 % percentile bootstrap interval of a mean over tasks; null under 3 values. Too narrow under about 50 tasks
 * and near 0 and 1: a mean of shares in [0, 1] is better served by `clusterWilson`.
 *
 * Cost: `nBoot` times the number of values.
 *
 * @source Efron & Tibshirani 1993
 */
export function bootstrapCi(
  values: ArrayLike<number>,
  { nBoot = 2000, seed = 0 }: BootstrapOptions = {},
): Interval | null {
  if (values.length < 3) return null;
  const random = randomStream(seed);
  return percentiles(nBoot, () => resampledMean(values, random));
}

/** Give the 95 % percentile bootstrap interval of mean(b) - mean(a), each side drawn by itself; null under 3 values a side. */
export function bootstrapDifference(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { nBoot = 2000, seed = 0 }: BootstrapOptions = {},
): Interval | null {
  if (a.length < 3 || b.length < 3) return null;
  const random = randomStream(seed);
  return percentiles(nBoot, () => resampledMean(b, random) - resampledMean(a, random));
}

function percentiles(nBoot: number, once: () => number): Interval {
  const means = Float64Array.from({ length: nBoot }, once).sort();
  const low = Math.floor(0.025 * nBoot);
  const high = Math.max(low, Math.floor(0.975 * nBoot) - 1);
  return [means[low] ?? Number.NaN, means[high] ?? Number.NaN];
}

function resampledMean(values: ArrayLike<number>, random: Random): number {
  const first = values[0] as number;
  let sum = 0; // of what each value has above the first, so that equal values give themselves and no rounding error
  for (let at = 0; at < values.length; at++) sum += (values[random.below(values.length)] as number) - first;
  return first + sum / values.length;
}
