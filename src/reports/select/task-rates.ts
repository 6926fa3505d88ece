import { isObject, type JsonObject } from '../../core/json-object.ts';
import { groupLabel, type Label } from '../../rows/label.ts';
import { numericOf } from '../../rows/numeric.ts';
import { taskKey } from '../../rows/task-key.ts';

/** The graded rollouts of one task, counted. */
export interface TaskRate {
  readonly task: string;
  readonly n: number;
  readonly passes: number;
  readonly rate: number;
}

/** Count passes and graded rollouts of each task. Ungraded and partly graded rows do not count: they are no failures. */
export function taskRates(rows: readonly JsonObject[], label: (row: JsonObject) => Label | undefined = groupLabel) {
  const counts = new Map<string, { n: number; passes: number }>();
  for (const row of rows) {
    const value = label(row);
    if (value === undefined) continue;
    const task = taskKey(row);
    const count = counts.get(task);
    if (!count) counts.set(task, { n: 1, passes: value });
    else {
      count.n++;
      count.passes += value;
    }
  }
  return new Map<string, TaskRate>(
    [...counts].map(([task, { n, passes }]) => [task, { task, n, passes, rate: passes / n }]),
  );
}

/** A pass rate that a row carries for its task, measured elsewhere. `n` is Infinity when it does not say of how many. */
export interface CarriedRate {
  readonly rate: number;
  readonly n: number;
}

/** Read the pass rate a row carries, at the top or under `calibration`. Undefined when there is none from 0 to 1. */
export function carriedRate(row: JsonObject): CarriedRate | undefined {
  for (const from of [row, row['calibration']]) {
    if (!isObject(from)) continue;
    const rate = numericOf(from['pass_rate']);
    if (rate === undefined || !(rate >= 0 && rate <= 1)) continue;
    const n = numericOf(from['n']);
    return { rate, n: n === undefined || Number.isNaN(n) ? Number.POSITIVE_INFINITY : n };
  }
  return undefined;
}

/** Gather rows by task, tasks in the order of their first row. */
export function byTask<R extends JsonObject>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const task = taskKey(row);
    const group = groups.get(task);
    if (group) group.push(row);
    else groups.set(task, [row]);
  }
  return groups;
}
