import type { JsonObject } from '../../core/json-object.ts';
import { taskKey } from '../../rows/task-key.ts';
import { bootstrapCi } from '../../stats/bootstrap.ts';
import type { Interval } from '../../stats/wilson.ts';

/**
 * Average a 0/1 value over tasks, each task's rows first; null without rows. The interval resamples tasks, and is null under
 * three tasks or when the value is the same on every row.
 *
 * @source Efron & Tibshirani 1993
 */
export function taskMeans(
  rows: readonly JsonObject[],
  measure: (at: number) => number,
): { readonly clean: number | null; readonly ci95: Interval | null } {
  const sums = new Map<string, { sum: number; n: number }>();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  rows.forEach((row, at) => {
    const value = measure(at);
    [low, high] = [Math.min(low, value), Math.max(high, value)];
    const { sum, n } = sums.get(taskKey(row)) ?? { sum: 0, n: 0 };
    sums.set(taskKey(row), { sum: sum + value, n: n + 1 });
  });
  const means = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { sum, n }]) => sum / n);
  if (means.length === 0) return { clean: null, ci95: null };
  const clean = means.reduce((total, mean) => total + mean, 0) / means.length;
  return { clean, ci95: low === high ? null : bootstrapCi(means) };
}
