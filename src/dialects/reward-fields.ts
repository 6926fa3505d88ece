import { rewardOf } from '../rows/trace-row.ts';
import type { JsonObject } from './fields.ts';

/** The reward of a record as a row says it: a number, true and false as 1 and 0; what cannot be read is no verdict and stays visible. */
export function rewardFields(given: unknown): JsonObject {
  if (given === undefined || given === null) return {};
  const reward = rewardOf(given);
  return reward === undefined ? { judge_status: 'invalid_result', judge_meta: { raw_reward: given } } : { reward };
}
