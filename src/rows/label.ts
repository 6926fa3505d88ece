import type { JsonObject } from '../core/json-object.ts';
import { numericOf } from './numeric.ts';
/** A verdict that is pass or fail and nothing between. */
export type Label = 0 | 1;

const failed = new Set(['missing_reward', 'invalid_result', 'error', 'timeout']);

/**
 * Say whether a row has no verdict whatever its reward says: the judge failed on it, or the rollout broke for a reason
 * that is not the agent's (`usable: false`). Such a row is never a pass and never a failure.
 */
export function isUnjudgeable(row: JsonObject): boolean {
  return row['usable'] === false || failed.has(row['judge_status'] as string);
}

/**
 * Read the pass or fail of a row from `reward`, as the comparisons use it: exactly 0 or 1, as a number or as text that
 * spells one. Undefined for booleans, null, partial and unreadable rewards and for rows without a verdict: those rows are
 * not judged, never failed.
 */
export function binaryLabel(row: JsonObject): Label | undefined {
  return isUnjudgeable(row) ? undefined : exact(row['reward']);
}

/** Read the pass or fail of a row as the group reports use it: `reward`, and the older `qwen_reward` when that is no label. */
export function groupLabel(row: JsonObject): Label | undefined {
  return isUnjudgeable(row) ? undefined : (exact(row['reward']) ?? exact(row['qwen_reward']));
}

/** Read the finite reward of a row, partial credit too, else the older `qwen_reward`; undefined when it has no verdict. */
export function rewardOf(row: JsonObject): number | undefined {
  if (isUnjudgeable(row)) return undefined;
  return finite(row['reward']) ?? finite(row['qwen_reward']);
}

function exact(value: unknown): Label | undefined {
  if (value === 0 || value === 1) return value === 0 ? 0 : 1; // the usual row, and -0
  const number = typeof value === 'string' ? numericOf(value) : undefined;
  return number === 0 ? 0 : number === 1 ? 1 : undefined;
}

function finite(value: unknown): number | undefined {
  const number = numericOf(value);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}
