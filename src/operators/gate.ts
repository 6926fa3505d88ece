import { z } from 'zod';
import { defineFilter } from '../core/define-filter.ts';
import { quotesPrivileged } from '../reports/guard/leak-report.ts';
import { type DropReason, gateOptions, reasonToDrop } from '../reports/select/drop-reason.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  ...gateOptions,
  textGates: z.boolean().default(true).describe('Read the reply; false leaves the label and the leak gate alone.'),
});

/** The rule alone. */
export function gateCore(given: z.output<typeof options>) {
  return (row: Row): DropReason | 'privileged_leak' | undefined =>
    quotesPrivileged(row) ? 'privileged_leak' : reasonToDrop(row, given);
}

/**
 * Keep the rollouts that can be trained on: a reply that is whole, a label, and no quotation of the answer key.
 * Memory: none.
 *
 * @rejects privileged_leak - the agent quotes the row's own privileged block
 * @rejects incomplete_junk, do_nothing, unusable_label - see `dropReason`
 * @throws TM_OPTIONS - when built, if an option is unknown
 * @source rlhfbook ch. 7; house rule for what is junk
 */
export const gate = defineFilter({
  name: 'gate',
  options,
  rejects: ['privileged_leak', 'incomplete_junk', 'do_nothing', 'unusable_label'],
  core: gateCore,
  example: {
    options: {},
    in: [
      { prompt: 'hi there', final_text: 'Hello.', reward: 1 },
      { prompt: 'hi there', final_text: '', reward: 1 },
      { prompt: 'hi there', final_text: 'Hello.' },
    ],
    out: [{ prompt: 'hi there', final_text: 'Hello.', reward: 1 }],
  },
});
