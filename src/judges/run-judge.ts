import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import type { Row } from '../rows/row.ts';
import { applyVerdict, freshRunId, type Graded, type Stamp, stampOf } from './apply-verdict.ts';
import { judgeCaller } from './call-judge.ts';
import type { Judge } from './judge.ts';
import { JudgeWatch } from './judge-watch.ts';
import { mapInOrder } from './map-in-order.ts';
import { checkScale, type Scale, type Verdict } from './normalize-judge-result.ts';
import { ScoredData } from './scored-data.ts';

const declaredTool = z.union([
  z.string(),
  z.looseObject({ name: z.string().optional(), function: z.looseObject({ name: z.string().optional() }).optional() }),
]);

/** The options that stamp a run; `judge` the operator and `runJudge` share them. */
export const gradingOptions = {
  judgeName: z.string().min(1).optional().describe('Name on the rows; the judge’s own by default.'),
  source: z.string().min(1).default('grade').describe('Why the rows are graded: `grade`, or `eval` for a measurement.'),
  model: z.string().optional().describe('The model under test, for the lineage.'),
  runId: z.string().min(1).optional().describe('Scoring run id; give one to grade again under a new id.'),
  version: z.string().optional().describe('Version of the judge, for the lineage; the judge’s own by default.'),
  scale: z
    .tuple([z.number(), z.number()])
    .optional()
    .describe('Lowest and highest mark, when the judge rates on a scale: mapped to 0 to 1.'),
};

const options = z.strictObject({
  ...gradingOptions,
  concurrency: z.int().min(1).default(8).describe('Calls at the same time.'),
  timeoutMs: z.int().min(1).optional().describe('A call that takes longer has no verdict, in ms. No limit by default.'),
  tools: z.array(declaredTool).optional().describe('The declared tools: warns when they are not used.'),
});
export type RunJudgeOptions = z.input<typeof options>;

/**
 * Grade every row and keep their order. What goes wrong stays on its row: status `error`, `timeout`, `missing_reward` or
 * `invalid_result` with reward null, never 0. Rows are not changed; the graded ones are new.
 *
 * @throws TM_OPTIONS - before the first call, if an option is unknown or out of range
 * @source rlhfbook ch. 5 and 11; house rule for the statuses
 */
export async function runJudge<T extends Row>(
  rows: Iterable<T>,
  judge: Judge,
  config: RunJudgeOptions = {},
): Promise<ScoredData<T>> {
  const { concurrency, timeoutMs, tools, ...rest } = parseOptions('runJudge', options, config);
  const scale = rest.scale && checkScale(rest.scale);
  const stamp = stampOf(judge, rest, freshRunId());
  const input = [...rows].filter((row) => row !== null && typeof row === 'object');
  const graded = await gradeAll(input, judge, { stamp, scale, timeoutMs, concurrency });
  const watch = new JudgeWatch(tools);
  for (const row of graded) watch.add(row);
  const run = { source: stamp.source, judge_name: stamp.judgeName, scoring_run_id: stamp.runId, ...watch.report() };
  return new ScoredData(graded, run);
}

interface Grading {
  readonly stamp: Stamp;
  readonly scale: Scale | undefined;
  readonly timeoutMs: number | undefined;
  readonly concurrency: number;
}

/** A row's clock starts when its call does, and a slow row holds up one of the calls at a time. */
function gradeAll<T extends Row>(rows: readonly T[], judge: Judge, grading: Grading): Promise<Graded<T>[]> {
  const ask = judgeCaller(judge, grading);
  return mapInOrder(rows, grading.concurrency, (row, n) => {
    const stamped = (verdict: Verdict) => applyVerdict(row, verdict, grading.stamp, () => `row_${n}`);
    const verdict = ask(row);
    return verdict instanceof Promise ? verdict.then(stamped) : stamped(verdict);
  });
}
