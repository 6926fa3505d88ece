import { bootstrapCi } from './bootstrap.ts';
import { clusterWilson } from './cluster-wilson.ts';
import { tInterval } from './t-interval.ts';
import type { Interval } from './wilson.ts';

/** How the interval of a mean over tasks is made. */
export type CiMethod = 'cluster_wilson' | 'percentile' | 't';

export interface MeanInterval {
  /** Null under 3 tasks. */
  readonly ci95: Interval | null;
  readonly ci_method: CiMethod;
}

interface MeanIntervalOptions {
  readonly ciMethod: 'cluster_wilson' | 'percentile';
  readonly nBoot: number;
  readonly seed: number;
}

/**
 * Give the 95 % interval of a mean over tasks: cluster Wilson for values in [0, 1], Student t for any other measure, the
 * percentile bootstrap on request.
 *
 * @param rows - usable rows behind the values
 * @source Korn & Graubard 1998; Miller 2024, arXiv 2411.00640 (a task is a cluster)
 */
export function meanInterval(
  values: ArrayLike<number>,
  rows: number,
  { ciMethod, nBoot, seed }: MeanIntervalOptions,
): MeanInterval {
  if (ciMethod === 'percentile') return { ci95: bootstrapCi(values, { nBoot, seed }), ci_method: 'percentile' };
  if (!isShares(values)) return { ci95: values.length < 3 ? null : tInterval(values), ci_method: 't' };
  return { ci95: clusterWilson(values, rows), ci_method: 'cluster_wilson' };
}

function isShares(values: ArrayLike<number>): boolean {
  for (let at = 0; at < values.length; at++) if ((values[at] as number) < 0 || (values[at] as number) > 1) return false;
  return true;
}
