import { isObject, type JsonObject } from '../../core/json-object.ts';

const columns = ['reference', 'answer', 'target', 'solution', 'label', 'expected'];
const blocks = ['info', 'metadata', 'privileged'];

/** The gold of a row. `value` is null when there is none; 0, false and `''` are values. */
export interface Gold {
  readonly value: unknown;
  /** It came from the privileged block: it must not be quoted. */
  readonly isSecret: boolean;
}
const none: Gold = { value: null, isSecret: false };

/**
 * Find the gold of a row. With `field` there and nowhere else: a literal key, else a dotted path. Without it
 * `privileged.reference`, then the first value among reference, answer, target, solution, label and expected, then the same
 * names inside info, metadata and privileged.
 */
export function findGold(row: JsonObject, field?: string | undefined): Gold {
  if (field !== undefined) {
    const isSecret = !Object.hasOwn(row, field) && field.split('.')[0] === 'privileged';
    return { value: valueAt(row, field) ?? null, isSecret: isSecret || field === 'privileged' };
  }
  const { privileged } = row;
  if (isObject(privileged) && isThere(privileged['reference']))
    return { value: privileged['reference'], isSecret: true };
  for (const name of columns) if (isThere(row[name])) return { value: row[name], isSecret: false };
  for (const block of blocks) {
    const inner = row[block];
    const name = isObject(inner) ? columns.find((column) => isThere(inner[column])) : undefined;
    if (isObject(inner) && name !== undefined) return { value: inner[name], isSecret: block === 'privileged' };
  }
  return none;
}

/** The gold of a row as a value; null when there is none. */
export const referenceValue = (row: JsonObject, field?: string): unknown => findGold(row, field).value;

/** What stands at a literal key, else at a dotted path with array indices; undefined when nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  let at: unknown = value;
  for (const part of path.split('.')) {
    if (Array.isArray(at)) at = /^\d+$/.test(part) ? at[Number(part)] : undefined;
    else at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}

/** The accepted answers of a gold as text: a scalar, or each scalar of a list. Objects are no text. */
export function goldTexts({ value }: Gold): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isScalar).map(String);
}

/** How a reason speaks of the gold, wherever it stands: reasons ride into training files, the gold must not. */
export const referenceWord = '<reference>';

const isThere = (value: unknown) => value !== undefined && value !== null;
const isScalar = (value: unknown) => ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
