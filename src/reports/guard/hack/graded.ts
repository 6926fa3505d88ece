import type { JsonObject } from '../../../core/json-object.ts';
import { numericOf } from '../../../rows/numeric.ts';
import { inRowOrder } from '../../../rows/row-order.ts';
import { byTask } from '../../select/task-rates.ts';
import { type BitPlaces, bitPlaces } from './task-bits.ts';

/** The graded rows of a scan, task after task. */
export interface Graded {
  readonly rows: readonly JsonObject[];
  readonly rewards: Float64Array;
  /** Reward less the mean of its task: what a grouped update sees. */
  readonly centred: Float64Array;
  /** Where each task begins, and the number of rows at the end. */
  readonly starts: Int32Array;
  /** Population standard deviation of `centred`. */
  readonly spread: number;
  readonly bits: BitPlaces;
  /** Every reward is 0 or 1. */
  readonly isPassFail: boolean;
}

/** Line up the rows with a finite numeric reward so that the rows of a task stand together, in an order of their own. */
export function gradedRows(rows: readonly JsonObject[], rewardKey: string): Graded {
  const usable = inRowOrder(rows).filter((row) => Number.isFinite(rewardOf(row, rewardKey)));
  const groups = [...byTask(usable)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const ordered = groups.flat();
  const rewards = new Float64Array(ordered.length);
  ordered.forEach((row, at) => {
    rewards[at] = rewardOf(row, rewardKey);
  });
  const starts = new Int32Array(groups.length + 1);
  groups.forEach((group, task) => {
    starts[task + 1] = (starts[task] as number) + group.length;
  });
  const centred = new Float64Array(rewards.length);
  const means = new Float64Array(groups.length);
  let squares = 0;
  let isPassFail = true;
  for (let task = 0; task < groups.length; task++) {
    const [from, to] = [starts[task] as number, starts[task + 1] as number];
    let sum = 0;
    for (let at = from; at < to; at++) sum += rewards[at] as number;
    const mean = sum / (to - from);
    means[task] = mean;
    for (let at = from; at < to; at++) {
      const reward = rewards[at] as number;
      centred[at] = reward - mean;
      squares += (reward - mean) ** 2;
      isPassFail &&= reward === 0 || reward === 1;
    }
  }
  return {
    rows: ordered,
    rewards,
    centred,
    starts,
    spread: ordered.length === 0 ? 0 : Math.sqrt(squares / ordered.length),
    bits: bitPlaces(starts, (task) => (isPassFail ? (means[task] as number) % 1 : 0)), // where all pass nothing is shuffled
    isPassFail,
  };
}

/** The reward of a row as a number; NaN for a boolean and whatever else is none. */
function rewardOf(row: JsonObject, key: string): number {
  return numericOf(row[key]) ?? Number.NaN;
}
