import { detectableEffect, neededErrors } from '../sizing/detectable-effect.ts';
import { holdoutSize } from '../sizing/holdout-size.ts';
import { metricOf, taskMeans } from '../tally.ts';
import type { MetricDelta } from './metrics.ts';
import type { Side } from './state.ts';

/** Whether the evaluation could have shown a change, and what would. */
export interface Room {
  /** True when so many tasks already pass before the change that a gain has nowhere to show. */
  readonly ceiling: boolean;
  /** The smallest gain that so many paired tasks find, 4 digits; null when there is none. */
  readonly detectable_effect: number | null;
  /** Paired tasks that would find a gain as small as the one seen; null when none was seen. */
  readonly tasks_needed: number | null;
}

const ceilingFrom = 0.9;
const fewTasks = 20;

/** Measure the room for a gain before the change, and size the evaluation that would find the one seen. */
export function roomOf(before: Side, after: Side, headline: MetricDelta, k: number): Room {
  const rates = taskMeans(metricOf(before.tally, 'pass_at_1'));
  const other = metricOf(after.tally, 'pass_at_1').tasks;
  const values = [...rates.values()];
  const base = values.length === 0 ? null : values.reduce((sum, rate) => sum + rate, 0) / values.length;
  const paired = [...rates].filter(([task]) => other.has(task));
  const open = paired.filter(([, rate]) => rate < 1).length;
  const hasNoRoom = paired.length > 0 && open < fewTasks && open < paired.length / 2;
  return {
    ceiling: base !== null && (base >= ceilingFrom || hasNoRoom),
    detectable_effect: base === null ? null : detectableEffect(headline.n_paired, { base, k }),
    tasks_needed: tasksNeeded(headline, base, k),
  };
}

function tasksNeeded({ delta, paired_std }: MetricDelta, base: number | null, k: number): number | null {
  if (delta === null || delta <= 0 || delta >= 1 || base === null) return null;
  const isSaturated = base >= ceilingFrom || paired_std === 0;
  if (isSaturated || paired_std === null) return holdoutSize(delta, { k, ...(isSaturated ? {} : { base }) }).n_tasks;
  return Math.max(2, Math.ceil(((neededErrors(0.05, 0.8) * paired_std) / delta) ** 2));
}
