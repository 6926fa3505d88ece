import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

type Kind = 'text' | 'number' | 'flag' | 'list' | 'object';
interface Column {
  readonly kind: Kind | 'mixed';
  /** Which fields an object has, of which kinds: two shapes in one column do not load. */
  readonly shape: string;
  readonly isFloat: boolean;
}

/** Numbers that are measured, not counted: always written with a point, or a reader that saw whole ones first refuses the rest. */
const measured: ReadonlySet<string> = new Set([
  'reward',
  'qwen_reward',
  'logprob',
  'reward_mean',
  'reward_std',
  'chosen_score',
  'rejected_score',
  'margin',
]);

/**
 * Learn the columns of a file row by row, then write its lines so that every line has the same keys and every key one type:
 * a missing text is `''`, a missing list `[]`, any other missing value null. Columns whose values have several types, or
 * objects of several shapes, are written as JSON text on every line. Memory: one record a column.
 */
export function columns() {
  const found = new Map<string, Column>();
  return {
    add(row: JsonObject): void {
      for (const [key, value] of Object.entries(row)) found.set(key, widened(found.get(key), value));
    },
    names: (): readonly string[] => [...found.keys()].sort(),
    /** Columns that are JSON text on every line. */
    asText: (): readonly string[] => [...found].filter(([, { kind }]) => kind === 'mixed').map(([key]) => key),
    line(row: JsonObject): string {
      const fields = [...found].map(([key, column]) => `${JSON.stringify(key)}:${valueText(row[key], key, column)}`);
      return `{${fields.join(',')}}\n`;
    },
  };
}

/** A column with nothing in it yet takes the type of its first value. */
function widened(column: Column | undefined, value: unknown): Column {
  if (value === null || value === undefined) return column ?? { kind: 'number', shape: '', isFloat: true };
  const seen: Column = {
    kind: kindOf(value),
    shape: shapeOf(value),
    isFloat: typeof value === 'number' && !Number.isInteger(value),
  };
  if (!column || column.shape === '') return seen;
  const isSame = column.kind === seen.kind && column.shape === seen.shape;
  return { kind: isSame ? column.kind : 'mixed', shape: column.shape, isFloat: column.isFloat || seen.isFloat };
}

function valueText(value: unknown, key: string, { kind, isFloat }: Column): string {
  if (value === undefined || value === null)
    return kind === 'text' || kind === 'mixed' ? '""' : kind === 'list' ? '[]' : 'null';
  if (kind === 'mixed') return JSON.stringify(typeof value === 'string' ? value : stringifyJson(value));
  if (typeof value !== 'number') return stringifyJson(value);
  const text = JSON.stringify(value);
  return (isFloat || measured.has(key)) && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'flag';
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'object' : 'number';
}

/** Lists are read item by item: messages and tools have their own rules. */
function shapeOf(value: unknown): string {
  if (!isObject(value)) return kindOf(value);
  const fields = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${inner === null ? 'null' : shapeOf(inner)}`,
  );
  return `{${fields.sort().join(',')}}`;
}
