import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { numericOf } from '../../../rows/numeric.ts';
import { replyOf } from '../../../rows/reply.ts';
import { termsOf, tokensOf } from '../../../text/terms.ts';
import { isTruncated } from '../../select/is-truncated.ts';
import { usualFlags } from '../trace/trace-flags.ts';

/** A named number for each graded row. */
export interface Column {
  readonly name: string;
  readonly values: Uint8Array | Float64Array;
  /** Only 0 and 1. */
  readonly isBinary: boolean;
  /** Rows on which it is not zero. */
  readonly observed: number;
}

/** A column with the other names of the same values. */
export interface Feature extends Column {
  readonly aliases: readonly string[];
  /** For a conjunction, the two features it holds together. */
  readonly parents?: readonly [Feature, Feature];
}

export type Measure = (row: JsonObject) => unknown;
interface ColumnOptions {
  readonly auto: boolean;
  readonly topK: number;
  readonly minObs: number;
  readonly features: Readonly<Record<string, Measure>>;
}

/**
 * Measure the rows: what a reward could be paying for. Counts and tool calls by hand, terms of the text, where they stand,
 * and what the caller adds. Columns that hold too few rows or never vary are left out; equal columns are one feature with
 * aliases, and a place in the text that says no more than a term is not named.
 */
export function featuresOf(rows: readonly JsonObject[], options: ColumnOptions): readonly Feature[] {
  const texts = rows.map((row) => replyOf(row).said);
  const tokens = options.auto ? texts.map(tokensOf) : [];
  const hand = handColumns(rows, texts, options.features);
  const auto = options.auto ? [...termColumns(tokens, options), ...layoutColumns(texts)] : [];
  const places = options.auto ? placeColumns(tokens, options.minObs) : [];
  const isUsable = ({ observed, values }: Column) => observed >= options.minObs && varies(values);
  return collapse([...hand, ...auto].filter(isUsable), places.filter(isUsable));
}

function collapse(named: readonly Column[], places: readonly Column[]): readonly Feature[] {
  const features = new Map<string, { column: Column; aliases: string[] }>();
  for (const column of named) {
    const key = digest(column.values);
    const known = features.get(key);
    if (known) known.aliases.push(column.name);
    else features.set(key, { column, aliases: [] });
  }
  for (const column of places) {
    const key = digest(column.values);
    if (!features.has(key)) features.set(key, { column, aliases: [] });
  }
  return [...features.values()].map(({ column, aliases }) => ({ ...column, aliases: aliases.sort() }));
}

const digest = (values: Uint8Array | Float64Array): string =>
  createHash('sha1')
    .update(values instanceof Uint8Array ? 'b' : 'f')
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest('base64');

function handColumns(
  rows: readonly JsonObject[],
  texts: readonly string[],
  features: Readonly<Record<string, Measure>>,
): Column[] {
  const replies = rows.map(replyOf);
  const columns = new Map<string, Float64Array>();
  const put = (name: string, at: number, value: number): void => {
    const column = columns.get(name) ?? new Float64Array(rows.length);
    column[at] = value;
    columns.set(name, column);
  };
  rows.forEach((row, at) => {
    const { length, calls, turns } = replies[at] as ReturnType<typeof replyOf>;
    put('reply_length', at, length);
    put('tool_calls', at, calls.length);
    put('assistant_turns', at, turns.length);
    put('truncated', at, isTruncated(row) ? 1 : 0);
    for (const [name, count] of Object.entries(countsOf(texts[at] ?? ''))) put(name, at, count);
    for (const { tool } of calls) put(`tool:${tool}`, at, (columns.get(`tool:${tool}`)?.[at] ?? 0) + 1);
    for (const flag of Object.keys(usualFlags(row))) put(`trace:${flag}`, at, 1);
    const [logprob, n_tokens] = [numericOf(row['logprob']), numericOf(row['n_tokens'])];
    if (logprob !== undefined && n_tokens !== undefined && n_tokens > 0) put('logprob_mean', at, logprob / n_tokens);
    for (const [name, value] of Object.entries(isObject(row['markers']) ? row['markers'] : {}))
      if (typeof value === 'number' && Number.isFinite(value)) put(`marker:${name}`, at, value);
    for (const [name, measure] of Object.entries(features)) {
      const value = measured(measure, row);
      if (value !== undefined) put(name, at, value);
    }
  });
  return [...columns].map(([name, values]) => columnOf(name, values));
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

function countsOf(text: string): Readonly<Record<string, number>> {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    'n:words': count(/\S+/g),
    'n:digits': count(/\d/g),
    'n:newlines': count(/\n/g),
    'n:punct': count(/[^\p{L}\p{M}\p{N}_\s]/gu),
    'frac:upper': text.length === 0 ? 0 : count(/[A-Z]/g) / text.length,
  };
}

/** Presence of the most frequent terms that are in enough texts and not in all. */
function termColumns(tokens: readonly (readonly string[])[], { minObs, topK }: ColumnOptions): Column[] {
  const ids = new Map<string, number>();
  const counts: number[] = [];
  const terms = tokens.map((list) =>
    Uint32Array.from(termsOf(list), (term) => {
      const id = ids.get(term) ?? ids.size;
      ids.set(term, id);
      counts[id] = (counts[id] ?? 0) + 1;
      return id;
    }),
  );
  const count = (id: number) => counts[id] ?? 0;
  const chosen = [...ids]
    .filter(([, id]) => count(id) >= minObs && count(id) < tokens.length)
    .sort(([x, a], [y, b]) => count(b) - count(a) || (x < y ? -1 : 1))
    .slice(0, topK)
    .sort(([x], [y]) => (x < y ? -1 : 1));
  const columns = new Map(chosen.map(([, id]) => [id, new Uint8Array(tokens.length)]));
  terms.forEach((list, at) => {
    for (const id of list) {
      const column = columns.get(id);
      if (column) column[at] = 1;
    }
  });
  return chosen.map(([term, id]) => columnOf(`contains:${term}`, columns.get(id) ?? new Uint8Array(0)));
}

/** Which token opens a text and which ends it: presence alone cannot see where a word stands. */
function placeColumns(tokens: readonly (readonly string[])[], minObs: number): Column[] {
  const at = (prefix: string, pick: (list: readonly string[]) => string | undefined): Column[] => {
    const places = new Map<string, number[]>();
    tokens.forEach((list, row) => {
      const one = pick(list);
      const known = one === undefined ? undefined : places.get(one);
      if (known) known.push(row);
      else if (one !== undefined) places.set(one, [row]);
    });
    return [...places]
      .filter(([, rows]) => rows.length >= minObs)
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([one, rows]) => {
        const values = new Uint8Array(tokens.length);
        for (const row of rows) values[row] = 1;
        return columnOf(`${prefix}:${one}`, values);
      });
  };
  return [...at('starts', (list) => list[0]), ...at('ends', (list) => list.at(-1))];
}

function layoutColumns(texts: readonly string[]): Column[] {
  const has = (name: string, pattern: RegExp) =>
    columnOf(
      name,
      Uint8Array.from(texts, (text) => (pattern.test(text) ? 1 : 0)),
    );
  return [has('has:list', /^\s*(?:[-*•]|\d+[.)])\s+\S/m), has('has:heading', /^#{1,6}\s+\S/m)];
}

function columnOf(name: string, given: Uint8Array | Float64Array): Column {
  const isBinary = given instanceof Uint8Array || given.every((value) => value === 0 || value === 1);
  const values = isBinary ? Uint8Array.from(given) : given;
  let observed = 0;
  for (const value of values) if (value !== 0) observed++;
  return { name, values, isBinary, observed };
}

function varies(values: Uint8Array | Float64Array): boolean {
  for (const value of values) if (value !== values[0]) return true;
  return false;
}
