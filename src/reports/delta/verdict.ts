import type { MetricDelta } from './metrics.ts';

/** What became of the metric the change was made for. */
export type TargetVerdict =
  | 'moved'
  | 'moved_unreplicated'
  | 'moved_the_wrong_way'
  | 'within_eval_noise'
  | 'no_change_detected'
  | 'insufficient_data'
  | 'target_not_measured';

/** The report in two words, for a person. */
export type HeadlineVerdict = 'PASS' | 'FAIL' | 'NOT COMPARABLE' | 'NO DIFFERENCE' | 'INCONCLUSIVE';

export const isUp = ({ verdict, within_noise }: MetricDelta): boolean => verdict === 'b_better' && !within_noise;
export const isDown = ({ verdict, within_noise }: MetricDelta): boolean => verdict === 'a_better' && !within_noise;

/** Say what a metric did. A gain without a re-run floor is not yet replicated: one run can be luck. */
export function movement(metric: MetricDelta): Exclude<TargetVerdict, 'target_not_measured'> {
  if (metric.verdict === 'insufficient_data') return 'insufficient_data';
  if (metric.verdict === 'no_difference_detected') return 'no_change_detected';
  if (metric.within_noise) return 'within_eval_noise';
  if (metric.verdict === 'a_better') return 'moved_the_wrong_way';
  return metric.noise_band === null ? 'moved_unreplicated' : 'moved';
}

/** Give the report in two words: it passes only on a gain that re-run noise does not explain. */
export function headlineVerdict(ok: boolean, isComparable: boolean, verdict: TargetVerdict): HeadlineVerdict {
  if (!isComparable) return 'NOT COMPARABLE';
  if (!ok) return 'FAIL';
  if (verdict === 'moved') return 'PASS';
  return verdict === 'no_change_detected' || verdict === 'within_eval_noise' ? 'NO DIFFERENCE' : 'INCONCLUSIVE';
}
