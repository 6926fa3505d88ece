import { isObject, type JsonObject } from '../core/json-object.ts';

/** Columns that a verifier reads as gold. */
export const goldColumns = ['reference', 'answer', 'target', 'solution', 'label', 'expected', 'ground_truth'] as const;
const hidden: ReadonlySet<string> = new Set([...goldColumns, 'gold_labels']);

/**
 * Take the gold out of a row that is to be trained on: the answer columns, the same names inside `info` and `metadata`,
 * and the trusted labels.
 */
export function withoutGold(row: JsonObject): JsonObject {
  const { gold_reward: _, ...rest } = withoutAnswers(row);
  return rest;
}

/**
 * Take the answers out of a row that others may see: the answer columns, the same names inside `info` and `metadata`, and the
 * labels of people. `gold_reward` stays: it says whether the row was right, and measures its judge.
 */
export function withoutAnswers<Row extends JsonObject>(row: Row): Row {
  const fields = Object.entries(row).filter(([key]) => !hidden.has(key));
  return Object.fromEntries(
    fields.map(([key, value]) => [
      key,
      (key === 'info' || key === 'metadata') && isObject(value) ? open(value) : value,
    ]),
  ) as Row; // as a reader sees it: every column may be absent
}

const open = (value: JsonObject) => Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(key)));
