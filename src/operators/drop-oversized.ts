import { z } from 'zod';
import { charactersIn } from '../core/characters-in.ts';
import { defineFilter } from '../core/define-filter.ts';
import type { OtlpRecord } from '../dialects/otlp/decoded-log.ts';
import { exportsOf } from '../dialects/otlp/write-export.ts';

const options = z.strictObject({
  maxBytes: z
    .int()
    .min(1)
    .default(8_000_000)
    .describe('Bytes of an export with this span, or log record, alone: a record of a topic may have 8 MiB.'),
});

/** The rule alone. What is far from the limit is not written to be measured. */
export const dropOversizedCore =
  ({ maxBytes }: z.output<typeof options>) =>
  (record: OtlpRecord): 'too_large' | undefined => {
    if (mostBytesPerCharacter * charactersIn(record) < maxBytes) return undefined;
    const bytes = exportsOf([record]).reduce((sum, body) => sum + Buffer.byteLength(body), 0);
    return bytes > maxBytes ? 'too_large' : undefined;
  };

/** A control character is written as six, and an attribute of one character with thirty around it. */
const mostBytesPerCharacter = 32;

/**
 * Drop spans and log records that no record of a topic can hold, so that one of them never stops the others. Memory: none.
 *
 * @rejects too_large - as an export of its own it has more than `maxBytes`
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const dropOversized = defineFilter({
  name: 'drop-oversized',
  options,
  rejects: ['too_large'],
  core: dropOversizedCore,
  example: {
    options: { maxBytes: 2000 },
    in: [log('short'), log('long '.repeat(500))],
    out: [log('short')],
  },
});

function log(body: string): OtlpRecord {
  return {
    ...{ trace_id: 'a'.repeat(32), span_id: null, event_name: '', time_unix_nano: '0', attributes: {}, body },
    ...{ resource: { attributes: {}, dropped_attributes_count: 0 }, schema_url: '' },
    scope: { name: '', version: '', attributes: {} },
  };
}
