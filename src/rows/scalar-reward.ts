import type { JsonObject } from '../core/json-object.ts';
import { numericOf } from './numeric.ts';

/**
 * Read the reward of a row as a number, partial credit included: the first of `reward` and the older `qwen_reward` that is
 * one. Undefined for booleans, null, NaN and words.
 */
export function scalarReward(row: JsonObject): number | undefined {
  for (const value of [row['reward'], row['qwen_reward']]) {
    const number = numericOf(value);
    if (number !== undefined && !Number.isNaN(number)) return number;
  }
  return undefined;
}
