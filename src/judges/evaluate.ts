import { TracemillError } from '../core/errors.ts';
import type { Row } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import type { Judge } from './judge.ts';
import { type RunJudgeOptions, runJudge } from './run-judge.ts';
import { type EvalCoverage, ScoredData } from './scored-data.ts';

export interface EvaluateOptions extends Omit<RunJudgeOptions, 'source'> {
  /** Who grades; exactly one of `judge` and `grader`, which mean the same. */
  readonly judge?: Judge;
  readonly grader?: Judge;
  /** The prompts that should have been run, as text or as rows: the result says which are missing. */
  readonly evalSet?: readonly (string | Row)[];
}

/**
 * Grade rows as a measurement: `runJudge` with the source `eval`, and how much of `evalSet` the rows cover.
 *
 * @throws TM_OPTIONS - without a judge, with two, or with a bad option
 * @source rlhfbook ch. 16
 */
export async function evaluate<T extends Row>(
  rows: Iterable<T>,
  { judge, grader, evalSet, ...options }: EvaluateOptions,
): Promise<ScoredData<T>> {
  const one = judge ?? grader;
  if (!one || (judge && grader))
    throw new TracemillError('TM_OPTIONS', 'evaluate needs exactly one of judge and grader');
  const scored = await runJudge(rows, one, { ...options, source: 'eval' });
  return evalSet ? new ScoredData(scored.rows, { ...scored, eval_coverage: coverage(scored.rows, evalSet) }) : scored;
}

function coverage(rows: readonly Row[], evalSet: readonly (string | Row)[]): EvalCoverage {
  const asked = new Set(evalSet.map(folded).filter((prompt) => prompt !== ''));
  const seen = new Set(rows.map(folded));
  const missing = [...asked].filter((prompt) => !seen.has(prompt)).sort();
  return { eval_set: asked.size, covered: asked.size - missing.length, missing: missing.slice(0, 20) };
}

function folded(item: string | Row): string {
  const prompt = typeof item === 'string' ? item : (item?.prompt ?? '');
  return foldText(String(prompt));
}
