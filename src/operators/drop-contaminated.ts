import { z } from 'zod';
import { defineJoin } from '../core/define-join.ts';
import { knownEvaluation } from '../reports/guard/decontaminate/evaluation-guard.ts';
import { lexicalOptions } from '../reports/guard/decontaminate/lexical-matcher.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject(lexicalOptions);

/** The rule alone. */
export function dropContaminatedCore(given: z.output<typeof options>) {
  const evaluation = knownEvaluation(given);
  return {
    learn: evaluation.add,
    decide: (row: Row): readonly Row[] | string => evaluation.matchOf(row)?.rule ?? [row],
  };
}

const one: Row = { rollout_id: 'a', prompt: 'Cancel it.' };

/**
 * Drop training rows that repeat an evaluation which lies elsewhere and may grow: each is compared with all of it that was
 * there when the row came. `retractContaminated` takes back what an evaluation row contaminates that came later.
 * Memory: about 30 bytes for each n-gram of the evaluation.
 *
 * @rejects same_task, exact, near - as `decontaminate`
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source GPT-3 (arXiv:2005.14165); Llama 2 (arXiv:2307.09288)
 */
export const dropContaminated = defineJoin({
  name: 'drop-contaminated',
  options,
  rejects: ['same_task', 'exact', 'near'],
  core: dropContaminatedCore,
  example: { options: {}, ports: {}, in: [one], out: [one] },
});
