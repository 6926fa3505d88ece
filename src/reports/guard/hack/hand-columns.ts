import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { numericOf } from '../../../rows/numeric.ts';
import { type Reply, replyOf } from '../../../rows/reply.ts';
import { characterCounts } from '../../../text/character-counts.ts';
import { isTruncated } from '../../select/is-truncated.ts';
import { usualFlags } from '../trace/trace-flags.ts';
import { type Column, columnOf } from './column.ts';

export type Measure = (row: JsonObject) => unknown;

/** What every row has, in the order of reports. */
const usual = [
  'reply_length',
  'tool_calls',
  'assistant_turns',
  'truncated',
  'n:words',
  'n:digits',
  'n:newlines',
  'n:punct',
  'frac:upper',
] as const;

/**
 * Measure rows by hand: how long replies are and of what characters, what was called and flagged, the markers, and what the
 * caller measures. A column that a row does not speak of is 0 there.
 */
export function handColumns(rows: readonly JsonObject[], features: Readonly<Record<string, Measure>>): Column[] {
  const columns = new Map<string, Float64Array>();
  const columnAt = (name: string): Float64Array => {
    const column = columns.get(name) ?? new Float64Array(rows.length);
    columns.set(name, column);
    return column;
  };
  const [ofTool, ofFlag, ofMarker] = [named('tool:', columnAt), named('trace:', columnAt), named('marker:', columnAt)];
  const measures = Object.entries(features);
  const everyRow = usual.map(columnAt);
  rows.forEach((row, at) => {
    const reply = replyOf(row);
    const values = usualOf(row, reply);
    for (let n = 0; n < values.length; n++) (everyRow[n] as Float64Array)[at] = values[n] as number;
    for (const { tool } of reply.calls) {
      const column = ofTool(tool);
      column[at] = (column[at] as number) + 1;
    }
    for (const flag of Object.keys(usualFlags(row))) ofFlag(flag)[at] = 1;
    const [logprob, n_tokens] = [numericOf(row['logprob']), numericOf(row['n_tokens'])];
    if (logprob !== undefined && n_tokens !== undefined && n_tokens > 0)
      columnAt('logprob_mean')[at] = logprob / n_tokens;
    for (const [name, value] of Object.entries(isObject(row['markers']) ? row['markers'] : {}))
      if (typeof value === 'number' && Number.isFinite(value)) ofMarker(name)[at] = value;
    for (const [name, measure] of measures) {
      const value = measured(measure, row);
      if (value !== undefined) columnAt(name)[at] = value;
    }
  });
  return [...columns].map(([name, values]) => columnOf(name, values));
}

/** Find the columns of one kind by what tells them apart: the whole name is made once. */
function named(prefix: string, columnAt: (name: string) => Float64Array): (name: string) => Float64Array {
  const known = new Map<string, Float64Array>();
  return (name) => {
    const column = known.get(name) ?? columnAt(prefix + name);
    known.set(name, column);
    return column;
  };
}

/** The values of `usual`. */
function usualOf(row: JsonObject, { said, length, calls, turns }: Reply): readonly number[] {
  const { words, digits, newlines, punctuation, capitals } = characterCounts(said);
  const upper = said.length === 0 ? 0 : capitals / said.length;
  return [length, calls.length, turns.length, isTruncated(row) ? 1 : 0, words, digits, newlines, punctuation, upper];
}

/** A measure that throws, or gives no number, measured nothing on that row. */
function measured(measure: Measure, row: JsonObject): number | undefined {
  try {
    const value = measure(row);
    const number = typeof value === 'boolean' ? Number(value) : numericOf(value);
    return number !== undefined && Number.isFinite(number) ? number : undefined;
  } catch {
    return undefined; // the caller's measure does not apply to this row
  }
}
