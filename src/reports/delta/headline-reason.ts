import { round } from '../round.ts';
import type { DeltaFigures } from './figures.ts';
import { type HeadlineVerdict, movement } from './verdict.ts';

/** Say why a report has the headline that it has, as one sentence without its end. */
export function headlineReason(
  verdict: HeadlineVerdict,
  figures: DeltaFigures,
  notComparable: readonly string[],
): string {
  if (verdict === 'NOT COMPARABLE') return `the two runs differ in ${notComparable.join(', ')}`;
  if (verdict === 'FAIL') return failures(figures).join('; ');
  return changeOf(figures);
}

/** What the headline metric did, and why that is as much as can be said. */
function changeOf({ headline, floors }: DeltaFigures): string {
  const { metric, delta, n_paired, n_used, noise_band } = headline;
  const by = delta === null ? '' : ` by ${round(Math.abs(delta))}`;
  const runs = floors.source === null ? 'each side was evaluated once' : 'no re-run noise is known of it';
  switch (movement(headline)) {
    case 'moved':
      return `${metric} rose${by}, more than re-runs of one policy do`;
    case 'moved_unreplicated':
      return `${metric} rose${by}, but ${runs}: one run can be luck. Evaluate each side three times, or give the known noise (runStd)`;
    case 'within_eval_noise':
      return `${metric} moved${by}, less than re-runs of one policy do (${round(noise_band ?? 0)})`;
    case 'moved_the_wrong_way':
      return `${metric} fell${by}; it is neither target nor guard`;
    case 'no_change_detected':
      return `the interval of the change of ${metric} covers zero over ${n_used} tasks`;
    case 'insufficient_data':
      return `${n_paired} shared tasks are too few to say what ${metric} did`;
  }
}

function failures({ targetVerdict, target, headline, missing, regressions, proxy }: DeltaFigures): string[] {
  const isEmpty = headline.n_rows_a === 0 || headline.n_rows_b === 0;
  return [
    ...(targetVerdict === 'target_not_measured' ? [`the target ${target} is not measured on both sides`] : []),
    ...(targetVerdict === 'moved_the_wrong_way' ? [`the target ${target} fell`] : []),
    ...regressions.map((metric) => `the guard ${metric} fell`),
    ...missing.map((metric) => `the guard ${metric} is not measured on both sides`),
    ...(proxy.over_optimized ? [`${proxy.proxy} rose and left the target behind`] : []),
    ...(isEmpty && targetVerdict !== 'target_not_measured' ? [`${headline.metric} has no value on one side`] : []),
  ];
}
