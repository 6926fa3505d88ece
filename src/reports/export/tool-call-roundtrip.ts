import { TracemillError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

export const formats = ['openai', 'trl'] as const;
export type Format = (typeof formats)[number];

/** Where a sample holds messages. */
export const messageLists = ['messages', 'prompt', 'completion', 'chosen', 'rejected'] as const;

/** Whether the tool calls of a file come back as they went in. */
export interface Roundtrip {
  readonly checked: number;
  readonly invalid: number;
  /** Positions of rows with an invalid call, the first 20. */
  readonly rows: readonly number[];
  readonly encoding: 'json_string' | 'dict';
}

/**
 * Check that the arguments of every tool call of every message list are readable: JSON text of an object for `openai` (an
 * object will do), an object for `trl`. A call without a `function` is invalid.
 *
 * @throws TM_OPTIONS - the format is another
 */
export function toolCallRoundtrip(
  rows: readonly JsonObject[],
  { format = 'openai' }: { readonly format?: Format } = {},
): Roundtrip {
  const tally = roundtripTally(format);
  for (const row of rows) tally.add(row);
  return tally.end();
}

/** The same check, row by row. */
export function roundtripTally(format: Format) {
  if (!formats.includes(format))
    throw new TracemillError('TM_OPTIONS', `format must be one of ${formats.join(', ')}, not ${String(format)}`);
  const bad: number[] = [];
  let n = 0;
  let checked = 0;
  let invalid = 0;
  return {
    add(row: JsonObject): void {
      const calls = messageLists.flatMap((key) => callsIn(row[key]));
      const wrong = calls.filter((call) => !isReadable(call, format)).length;
      checked += calls.length;
      invalid += wrong;
      if (wrong > 0 && bad.length < 20) bad.push(n);
      n++;
    },
    end: (): Roundtrip => ({ checked, invalid, rows: bad, encoding: format === 'trl' ? 'dict' : 'json_string' }),
  };
}

function callsIn(messages: unknown): readonly unknown[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) =>
    isObject(message) && Array.isArray(message['tool_calls']) ? message['tool_calls'] : [],
  );
}

function isReadable(call: unknown, format: Format): boolean {
  const given = isObject(call) && isObject(call['function']) ? call['function']['arguments'] : undefined;
  if (isObject(given)) return true;
  if (format === 'trl' || typeof given !== 'string') return false;
  try {
    return isObject(parseJson(given));
  } catch {
    return false;
  }
}
