import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json-object.ts';

const compared = z.looseObject({
  metrics: z.looseObject({
    pass_at_1: z.looseObject({
      mean_a: z.number().min(0).max(1),
      mean_b: z.number().min(0).max(1),
      verdict: z.string(),
    }),
  }),
  target: z.string().nullable(),
  target_verdict: z.string().nullable(),
});

const movements: Readonly<Record<string, string>> = {
  b_better: 'moved_unreplicated',
  a_better: 'moved_the_wrong_way',
  no_difference_detected: 'no_change_detected',
};

/**
 * Make the summary of a run of a report that lies in a file, as `compare --json` writes it: the two pass rates, the verdict
 * and the whole report. Tasks and intervals of each side are not in it.
 *
 * @throws TM_OPTIONS - it is no comparison of pass rates
 * @source rlhfbook ch. 16; house rule for the names
 */
export function comparedSummary(report: JsonObject) {
  const read = compared.safeParse(report);
  if (!read.success)
    throw new TracemillError(
      'TM_OPTIONS',
      `this is no comparison of pass rates, as compare --json writes it: ${z.prettifyError(read.error)}`,
    );
  const { metrics, target, target_verdict } = read.data;
  const { mean_a, mean_b, verdict } = metrics.pass_at_1;
  const bare = (pass: number) => ({ pass, n_tasks: null, k: null, ci95: null });
  return {
    holdoutPassBefore: mean_a,
    holdoutPassAfter: mean_b,
    holdout: {
      before: bare(mean_a),
      after: bare(mean_b),
      verdict: target === 'pass_at_1' && target_verdict !== null ? target_verdict : (movements[verdict] ?? verdict),
      note: 'read from a report: the sides have no interval of their own',
    },
    delta: report,
  };
}
