import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { evaluationGuard as guard } from '../reports/guard/decontaminate/evaluation-guard.ts';
import { lexicalOptions } from '../reports/guard/decontaminate/lexical-matcher.ts';
import { decisionOf } from '../rows/decision.ts';
import type { Retraction } from '../rows/retraction.ts';
import type { Row } from '../rows/row.ts';

/** A row on its way into the guard: of an evaluation, or to be trained on. */
export type Guarded = { readonly evaluation: Row } | { readonly training: Row };
/** A training row that is kept for now, or one that was kept and is taken back. */
export type GuardedOutcome = { readonly kept: Row } | { readonly retracted: Retraction };

const options = z.strictObject(lexicalOptions);

/** The rule alone. */
export function evaluationGuardCore(given: z.output<typeof options>) {
  const state = guard(given);
  return (one: Guarded, reject: (part: unknown, reason: string) => void): readonly GuardedOutcome[] => {
    if ('evaluation' in one) return state.evaluation(one.evaluation).map((retracted) => ({ retracted }));
    const match = state.training(one.training);
    if (!match) return [{ kept: one.training }];
    reject(one.training, match.rule);
    return [];
  };
}

/**
 * Keep training rows away from an evaluation that arrives while they do, in any order: a row that repeats what is known is
 * rejected, and an evaluation row that comes later takes back what it contaminates of those that were passed on. What is kept
 * and not taken back in the end is what `decontaminate` keeps when it knows all.
 * Memory: about 30 bytes for each n-gram of all rows, and the names of the training rows.
 *
 * @rejects same_task, exact, near - as `decontaminate`
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source GPT-3 (arXiv:2005.14165); Llama 2 (arXiv:2307.09288); the retraction is a house rule
 */
export const evaluationGuard = defineExpand({
  name: 'evaluation-guard',
  options,
  rejects: ['same_task', 'exact', 'near'],
  core: evaluationGuardCore,
  example: {
    options: {},
    in: [
      { training: row('a', 'Where is my order?') },
      { training: row('b', 'Cancel it.') },
      { evaluation: { scenario_id: 'e', prompt: 'where is my order' } },
      { training: row('c', 'Where is my order') },
    ],
    out: [
      { kept: row('a', 'Where is my order?') },
      { kept: row('b', 'Cancel it.') },
      {
        retracted: {
          row_id: '["a","",""]',
          task_id: 'a',
          decision: decisionOf(row('a', ''), {
            step: 'traceToTraining',
            decision: 'left',
            by: 'evaluation',
            reason: 'exact',
            gates: [
              {
                gate: 'evaluation',
                passed: false,
                reason: 'exact',
                numbers: { field: 'prompt', coverage: 1, eval_coverage: 1, evaluation_task: 'e' },
              },
            ],
          }),
        },
      },
    ],
  },
});

function row(name: string, prompt: string): Row {
  return { rollout_id: name, scenario_id: name, prompt };
}
