import type { JsonObject } from '../../../core/json-object.ts';
import { numericOf } from '../../../rows/numeric.ts';
import { inRowOrder } from '../../../rows/row-order.ts';
import { byTask } from '../../select/task-rates.ts';

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
}

/** Line up the rows with a finite numeric reward so that the rows of a task stand together, in an order of their own. */
export function gradedRows(rows: readonly JsonObject[], rewardKey: string): Graded {
  const usable = inRowOrder(rows).filter((row) => Number.isFinite(rewardOf(row, rewardKey)));
  const groups = [...byTask(usable)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const ordered = groups.flat();
  const rewards = Float64Array.from(ordered, (row) => rewardOf(row, rewardKey));
  const starts = Int32Array.from([0, ...runningSizes(groups)]);
  const centred = new Float64Array(rewards.length);
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    const mean = rewards.subarray(from, to).reduce((sum, reward) => sum + reward, 0) / (to - from);
    for (let at = from; at < to; at++) centred[at] = (rewards[at] as number) - mean;
  }
  const squares = centred.reduce((sum, value) => sum + value * value, 0);
  return {
    rows: ordered,
    rewards,
    centred,
    starts,
    spread: ordered.length === 0 ? 0 : Math.sqrt(squares / ordered.length),
  };
}

/** The reward of a row as a number; NaN for a boolean and whatever else is none. */
function rewardOf(row: JsonObject, key: string): number {
  return numericOf(row[key]) ?? Number.NaN;
}

function runningSizes(groups: readonly (readonly unknown[])[]): number[] {
  let total = 0;
  return groups.map((group) => {
    total += group.length;
    return total;
  });
}
