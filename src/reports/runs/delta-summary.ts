import type { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { taskKey } from '../../rows/task-key.ts';
import { deltaReport } from '../delta/index.ts';
import type { deltaListOptions } from '../delta/options.ts';
import { movement } from '../delta/verdict.ts';
import { metricSummary } from '../metric-summary.ts';

/**
 * Compare a held-out set before and after training, as the summary of a run holds it: the two pass rates, `holdout` with
 * their tasks, intervals and the verdict, and `delta`, the whole report.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 16; house rule for the names
 */
export function deltaSummary(
  before: readonly unknown[],
  after: readonly unknown[],
  config: z.input<typeof deltaListOptions> = {},
) {
  const report = deltaReport(before, after, { target: 'pass_at_1', ...config });
  const passes = report.metrics['pass_at_1'];
  const sides = { before: side(before), after: side(after) };
  const isTarget = report.target === 'pass_at_1';
  return {
    ...(sides.before.pass !== null && { holdoutPassBefore: sides.before.pass }),
    ...(sides.after.pass !== null && { holdoutPassAfter: sides.after.pass }),
    holdout: {
      ...sides,
      verdict: isTarget ? report.target_verdict : passes ? movement(passes) : null,
      eval_runs: report.eval_runs,
      run_std: report.run_std,
      ceiling: report.ceiling,
      note: null,
    },
    delta: report,
  };
}

/** One side: pass@1 over tasks, how many there are, the largest group, the interval. */
function side(rows: readonly unknown[]) {
  const { mean, n_tasks, ci95 } = metricSummary(rows, { metric: 'pass_at_1' });
  const sizes = new Map<string, number>();
  for (const row of rows) if (isGraded(row)) sizes.set(taskKey(row), (sizes.get(taskKey(row)) ?? 0) + 1);
  return { pass: mean, n_tasks, k: sizes.size === 0 ? null : Math.max(...sizes.values()), ci95 };
}

const isGraded = (row: unknown): row is JsonObject =>
  isObject(row) && row['reward'] !== undefined && row['reward'] !== null;
