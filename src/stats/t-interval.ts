import { mean, sampleVariance } from './moments.ts';
import { tQuantile } from './quantiles.ts';
import type { Interval } from './wilson.ts';

/** Give the Student t interval of a mean, also of paired differences; null under two values. */
export function tInterval(values: ArrayLike<number>, level = 0.95): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const half = tQuantile((1 + level) / 2, n - 1) * Math.sqrt(sampleVariance(values) / n);
  return [mean(values) - half, mean(values) + half];
}

/** Give the t interval of mean(b) - mean(a) for unpaired values of unequal spread; null under two values a side. */
export function welchInterval(a: ArrayLike<number>, b: ArrayLike<number>, level = 0.95): Interval | null {
  if (a.length < 2 || b.length < 2) return null;
  const [left, right] = [sampleVariance(a) / a.length, sampleVariance(b) / b.length];
  const delta = mean(b) - mean(a);
  const variance = left + right;
  if (variance === 0) return [delta, delta];
  const df = variance ** 2 / (left ** 2 / (a.length - 1) + right ** 2 / (b.length - 1));
  const half = tQuantile((1 + level) / 2, df) * Math.sqrt(variance);
  return [delta - half, delta + half];
}
