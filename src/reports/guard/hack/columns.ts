import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/json-object.ts';
import { replyOf } from '../../../rows/reply.ts';
import { type Column, varies } from './column.ts';
import { handColumns, type Measure } from './hand-columns.ts';
import { textColumns } from './text-columns.ts';

/** A column with the other names of the same values. */
export interface Feature extends Column {
  readonly aliases: readonly string[];
  /** For a conjunction, the two features it holds together. */
  readonly parents?: readonly [Feature, Feature];
}

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
  const hand = handColumns(rows, options.features);
  const texts = options.auto ? rows.map((row) => replyOf(row).said) : [];
  const { terms, layout, places } = textColumns(texts, options);
  const isUsable = (column: Column) => column.observed >= options.minObs && varies(column);
  return collapse([...hand, ...terms, ...layout].filter(isUsable), places.filter(isUsable));
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
