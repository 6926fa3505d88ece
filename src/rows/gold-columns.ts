import { isObject, type JsonObject } from '../core/json-object.ts';

/** Columns that a verifier reads as gold. */
export const goldColumns = ['reference', 'answer', 'target', 'solution', 'label', 'expected'] as const;
const hidden: ReadonlySet<string> = new Set([...goldColumns, 'gold_reward', 'gold_labels']);

/**
 * Take the gold out of a row that is to be trained on: the answer columns, the same names inside `info` and `metadata`,
 * and the trusted labels.
 */
export function withoutGold(row: JsonObject): JsonObject {
  const fields = Object.entries(row).filter(([key]) => !hidden.has(key));
  return Object.fromEntries(
    fields.map(([key, value]) => [
      key,
      (key === 'info' || key === 'metadata') && isObject(value) ? open(value) : value,
    ]),
  );
}

const open = (value: JsonObject) => Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(key)));
