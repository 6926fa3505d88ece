import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { ColumnType } from './column-type.ts';

/** Names the note in a table's footer that says what its columns hold. */
export const tableNote = 'tracemill';

const columnTypeSchema = z.union([
  z.object({ kind: z.enum(['text', 'int', 'float', 'flag', 'json']) }),
  z.object({ kind: z.literal('list'), of: z.enum(['int', 'float', 'text']) }),
  z.object({ kind: z.literal('messages'), fields: z.array(z.string()), args: z.enum(['text', 'json']) }),
]) satisfies z.ZodType<ColumnType>;
const noteSchema = z.object({ columns: z.record(z.string(), columnTypeSchema) });

/** Write the note of a table. */
export const noteOf = (columns: ReadonlyMap<string, ColumnType>): string =>
  JSON.stringify({ columns: Object.fromEntries(columns) });

/** Read the note of a table; no types when it is another's. */
export function typesIn(note: string | undefined): ReadonlyMap<string, ColumnType> {
  if (note === undefined) return new Map();
  const read = noteSchema.safeParse(parseJson(note));
  return new Map(read.success ? Object.entries(read.data.columns) : []);
}

/**
 * Write the features of a table as Hugging Face datasets reads them (5.0 and later): arguments as objects are JSON there.
 * Undefined when no column needs it: a table without it loads in every version.
 */
export function featuresNote(columns: ReadonlyMap<string, ColumnType>): string | undefined {
  if (![...columns.values()].some((type) => type.kind === 'messages' && type.args === 'json')) return undefined;
  const features = Object.fromEntries([...columns].map(([name, type]) => [name, featureOf(type)]));
  return JSON.stringify({ info: { features } });
}

const value = (dtype: string) => ({ dtype, _type: 'Value' });
const listOf = (feature: object) => ({ feature, _type: 'List' });
const dtypes = { text: 'string', int: 'int64', float: 'float64', flag: 'bool', json: 'string' } as const;

function featureOf(type: ColumnType): object {
  if (type.kind === 'list') return listOf(value(dtypes[type.of]));
  if (type.kind !== 'messages') return value(dtypes[type.kind]);
  const call = {
    id: value('string'),
    type: value('string'),
    function: { name: value('string'), arguments: { _type: 'Json' } },
  };
  return listOf(
    Object.fromEntries(type.fields.map((field) => [field, field === 'tool_calls' ? listOf(call) : value('string')])),
  );
}
