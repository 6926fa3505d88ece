import { type Comparison, compareMetric, leastPairs } from '../compare-runs.ts';
import type { DeltaSettings } from './options.ts';
import type { Side } from './state.ts';

/** The headline metric inside one group of rows. */
export interface GroupDelta
  extends Pick<Comparison, 'delta' | 'ci95' | 'verdict' | 'mean_a' | 'mean_b' | 'n_used' | 'n_paired' | 'paired'> {
  readonly rows_a: number;
  readonly rows_b: number;
  /** True when the group has too few shared tasks for any verdict. */
  readonly low_n: boolean;
}

/** Compare the headline metric within each group that both sides have, in the order of the names. */
export function groupDeltas(
  metric: string,
  before: Side,
  after: Side,
  given: DeltaSettings,
): Record<string, GroupDelta> {
  const shared = [...before.groups.keys()].filter((group) => after.groups.has(group)).sort();
  return Object.fromEntries(
    shared.flatMap((group) => {
      const [a, b] = [before.groups.get(group), after.groups.get(group)];
      if (!a || !b) return [];
      const { delta, ci95, verdict, mean_a, mean_b, n_used, n_paired, paired } = compareMetric(metric, a, b, given);
      const counted = { n_used, n_paired, paired, rows_a: a.rows, rows_b: b.rows, low_n: n_paired < leastPairs };
      return [[group, { delta, ci95, verdict, mean_a, mean_b, ...counted }]];
    }),
  );
}
