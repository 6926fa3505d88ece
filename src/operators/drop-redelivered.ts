import { z } from 'zod';
import { defineFilter } from '../core/define-filter.ts';
import { createKeySet } from '../core/key-set.ts';
import { deliveryKey } from '../rows/delivery-key.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  maxKeys: z
    .int()
    .min(1)
    .max(2 ** 24)
    .default(2_000_000)
    .describe('Deliveries remembered, 24 to 48 bytes each; the oldest is forgotten first.'),
});

/** The rule alone. A row without an id is never a repeat: two equal replies are two rollouts. */
export function dropRedeliveredCore({ maxKeys }: z.output<typeof options>): (row: Row) => 'redelivered' | undefined {
  const seen = createKeySet(maxKeys);
  return (row) => {
    const key = deliveryKey(row);
    return key === undefined || seen.add(key) ? undefined : 'redelivered';
  };
}

/**
 * Drop a row that was delivered before: the same rollout with the same evaluation and scoring run. A row counted twice
 * would look like one more rollout and make intervals too narrow. Memory: a hash for each of the last `maxKeys` rows.
 *
 * @rejects redelivered - the rollout was seen among the last `maxKeys` rows
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const dropRedelivered = defineFilter({
  name: 'drop-redelivered',
  options,
  rejects: ['redelivered'],
  core: dropRedeliveredCore,
  example: {
    options: {},
    in: [{ rollout_id: 'a', final_text: 'Yes.' }, { rollout_id: 'a' }, { final_text: 'Yes.' }, { final_text: 'Yes.' }],
    out: [{ rollout_id: 'a', final_text: 'Yes.' }, { final_text: 'Yes.' }, { final_text: 'Yes.' }],
  },
});
