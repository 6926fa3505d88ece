import { numericOf } from './numeric.ts';

type Fields = Readonly<Record<string, unknown>>;
/** A verdict that is pass or fail and nothing between. */
export type Label = 0 | 1;

/**
 * Read the pass or fail of a row from `reward`, as the comparisons use it: exactly 0 or 1, as a number or as text that
 * spells one. Undefined for booleans, null, partial and unreadable rewards: those rows are not judged, never failed.
 */
export function binaryLabel(row: Fields): Label | undefined {
  return exact(row['reward']);
}

/** Read the pass or fail of a row as the group reports use it: `reward`, and the older `qwen_reward` when that is no label. */
export function groupLabel(row: Fields): Label | undefined {
  return exact(row['reward']) ?? exact(row['qwen_reward']);
}

function exact(value: unknown): Label | undefined {
  if (value === 0 || value === 1) return value === 0 ? 0 : 1; // the usual row, and -0
  const number = typeof value === 'string' ? numericOf(value) : undefined;
  return number === 0 ? 0 : number === 1 ? 1 : undefined;
}
