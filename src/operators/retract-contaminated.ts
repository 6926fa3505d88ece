import { z } from 'zod';
import { defineJoin } from '../core/define-join.ts';
import { knownTraining } from '../reports/guard/decontaminate/evaluation-guard.ts';
import { lexicalOptions } from '../reports/guard/decontaminate/lexical-matcher.ts';
import type { Retraction } from '../rows/retraction.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject(lexicalOptions);

/** The rule alone. */
export function retractContaminatedCore(given: z.output<typeof options>) {
  const training = knownTraining(given);
  return {
    learn: training.add,
    decide: (evaluation: Row): readonly Retraction[] | string => training.retractedBy(evaluation),
  };
}

/**
 * Take back the training rows that an evaluation row contaminates, of all that were there when it came. A row may be taken
 * back more than once, each time the same. Memory: about 30 bytes for each n-gram of the training rows, and about 1 KB for
 * what is said of each.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule; the rules of contamination are those of `decontaminate`
 */
export const retractContaminated = defineJoin({
  name: 'retract-contaminated',
  options,
  rejects: [],
  core: retractContaminatedCore,
  example: { options: {}, ports: {}, in: [{ prompt: 'Cancel it.' }], out: [] },
});
