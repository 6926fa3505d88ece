import { mean, sampleVariance } from './moments.ts';
import { tQuantile } from './quantiles.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/**
 * Give the 95 % interval of a mean over tasks whose values lie in [0, 1]: a Wilson interval on the number of independent
 * rows that the spread between tasks is worth, corrected for the degrees of freedom lost to few tasks. Null under 3 tasks.
 *
 * @param taskMeans - one value a task
 * @param rows - usable rows behind them, at least one a task
 * @source Korn & Graubard 1998 (degrees of freedom); Brown, Cai & DasGupta 2001 (Wilson)
 */
export function clusterWilson(taskMeans: ArrayLike<number>, rows: number): Interval | null {
  const tasks = taskMeans.length;
  if (tasks < 3) return null;
  const middle = Math.min(1, Math.max(0, mean(taskMeans)));
  const variance = sampleVariance(taskMeans);
  const ratio = rows > tasks ? (tQuantile(0.975, rows - 1) / tQuantile(0.975, tasks - 1)) ** 2 : 1;
  const worth =
    variance > 0 && middle > 0 && middle < 1
      ? Math.min(((middle * (1 - middle)) / (variance / tasks)) * ratio, rows)
      : Math.min(tasks * ratio, tasks); // all tasks equal: nothing says that rows of one task are independent
  return wilsonInterval(middle * worth, worth);
}
