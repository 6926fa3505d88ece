import { z } from 'zod';
import { defineFilter } from '../core/define-filter.ts';
import { toolCallRoundtrip } from '../reports/export/tool-call-roundtrip.ts';
import { trainingRows } from '../reports/export/training-rows.ts';
import type { Row } from '../rows/row.ts';

/** The rule alone: what a training file would hold of the row is read back. */
export function unreadableCallsCore(): (row: Row) => 'unreadable_call' | undefined {
  return (row) => (toolCallRoundtrip(trainingRows([row])).invalid > 0 ? 'unreadable_call' : undefined);
}

/**
 * Drop a row with a tool call whose arguments are no object: a training file with one such call loads nowhere. Costs one
 * rendering of the row.
 *
 * @rejects unreadable_call - the arguments of a call cannot be read as an object
 * @throws TM_OPTIONS - when built, if an option is unknown
 * @source house rule
 */
export const dropUnreadableCalls = defineFilter({
  name: 'drop-unreadable-calls',
  options: z.strictObject({}),
  rejects: ['unreadable_call'],
  core: unreadableCallsCore,
  example: {
    options: {},
    in: [called({ arguments: { id: 'A1' } }), called({ arguments_raw: '{"id":' })],
    out: [called({ arguments: { id: 'A1' } })],
  },
});

function called(call: Readonly<Record<string, unknown>>): Row {
  return { prompt: 'Where is A1?', steps: [{ tool: 'get_order', ...call, result: 'gone' }], final_text: 'It is gone.' };
}
