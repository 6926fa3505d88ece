import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { replyOf } from '../../rows/reply.ts';
import { phraseLists } from './style-phrases.ts';

export const styleOptions = {
  phrases: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Phrases by marker: a new marker, or another list for a known one.'),
};
const options = z.strictObject(styleOptions);

/**
 * Stamp copies of the rows with the style markers: 1 when no phrase of the marker's list is in what the agent said, else 0.
 * Markers under other names are kept. A phrase that the agent quotes counts too.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 14, 17
 */
export function styleMarkers<R extends JsonObject>(rows: readonly R[], given: z.input<typeof options> = {}) {
  const lists = Object.entries(phraseLists(parseOptions('styleMarkers', options, given).phrases));
  return rows.map((row) => {
    const { said } = replyOf(row);
    const stamped = Object.fromEntries(lists.map(([marker, list]) => [marker, list.test(said) ? 0 : 1]));
    const markers: Readonly<Record<string, unknown>> = {
      ...(isObject(row['markers']) ? row['markers'] : {}),
      ...stamped,
    };
    return { ...row, markers };
  });
}
