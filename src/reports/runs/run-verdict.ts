import { isObject, type JsonObject } from '../../core/json-object.ts';

/** What a run did to its held-out set, in the words that its page opens with. */
export type RunVerdict = 'Better' | 'Worse' | 'About the same';

const bareBand = 0.02; // two numbers without an interval say nothing finer
const slack = 1e-9; // of numbers that were rounded on their way

/**
 * Say whether a run made its held-out set better. With a comparison (`summary.holdout.verdict`) only a gain that moved beyond
 * re-run noise is better and only a significant drop is worse; two bare numbers must be more than 0.02 apart. Losses are
 * mirrored. Null when the summary has no two numbers.
 *
 * @source house rule
 */
export function runVerdict(summary: JsonObject): RunVerdict | null {
  const pass = pairOf(summary, 'Pass');
  const loss = pairOf(summary, 'Loss');
  const gain = pass ? pass.after - pass.before : loss ? loss.before - loss.after : undefined;
  if (gain === undefined) return null;
  const holdout = summary['holdout'];
  const verdict = isObject(holdout) ? holdout['verdict'] : undefined;
  if (pass && typeof verdict === 'string') {
    if (gain > 0 && verdict === 'moved') return 'Better';
    return gain < 0 && verdict === 'moved_the_wrong_way' ? 'Worse' : 'About the same';
  }
  if (Math.abs(gain) <= bareBand + slack) return 'About the same';
  return gain > 0 ? 'Better' : 'Worse';
}

function pairOf(summary: JsonObject, metric: 'Pass' | 'Loss') {
  const [before, after] = [summary[`holdout${metric}Before`], summary[`holdout${metric}After`]];
  return typeof before === 'number' && typeof after === 'number' ? { before, after } : undefined;
}
