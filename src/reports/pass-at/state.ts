import type { Fold } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { groupLabel, isUnjudgeable } from '../../rows/label.ts';
import { numericOf } from '../../rows/numeric.ts';
import { taskKey } from '../../rows/task-key.ts';
import { addToConfig, mergeConfig, type RunConfigState, startConfig } from '../run-config.ts';

/** Why a row is neither a pass nor a failure. */
export type Unused = 'judge_failed' | 'unusable' | 'partial' | 'out_of_range' | 'invalid' | 'ungraded';

/** One task: judged rollouts, those that pass, and all that came. */
export interface TaskCount {
  n: number;
  c: number;
  rows: number;
  /** Digest of the first judged trajectory, and whether all the others had the same. */
  print: number | undefined;
  isRepeated: boolean;
}

/** What passAt needs of a run. */
export interface PassAtState {
  readonly tasks: Map<string, TaskCount>;
  rows: number;
  readonly unused: Record<Unused, number>;
  readonly config: RunConfigState;
}

/** Count passes by task. Costs one look-up a row, and for the first rows of a task one pass over its trajectory. */
export const passCounts: Omit<Fold<unknown, PassAtState, unknown>, 'end'> = {
  start: () => ({
    tasks: new Map(),
    rows: 0,
    unused: { judge_failed: 0, unusable: 0, partial: 0, out_of_range: 0, invalid: 0, ungraded: 0 },
    config: startConfig(),
  }),
  add(state, row) {
    if (!isObject(row)) return;
    state.rows++;
    addToConfig(state.config, row);
    const task = taskOf(state, taskKey(row));
    task.rows++;
    const label = groupLabel(row);
    if (label === undefined) {
      state.unused[whyUnused(row)]++;
      return;
    }
    task.n++;
    task.c += label;
    if (task.n > 1 && !task.isRepeated) return;
    seePrint(task, printOf(row), task.n === 1);
  },
  merge(into, from) {
    into.rows += from.rows;
    for (const reason of Object.keys(from.unused) as Unused[]) into.unused[reason] += from.unused[reason];
    mergeConfig(into.config, from.config);
    for (const [key, other] of from.tasks) {
      const task = taskOf(into, key);
      if (other.n > 0) {
        seePrint(task, other.print, task.n === 0);
        task.isRepeated &&= other.isRepeated;
      }
      task.n += other.n;
      task.c += other.c;
      task.rows += other.rows;
    }
  },
};

function whyUnused(row: JsonObject): Unused {
  if (isUnjudgeable(row)) return row['usable'] === false ? 'unusable' : 'judge_failed';
  const reward = row['reward'] ?? row['qwen_reward'];
  if (reward === undefined || reward === null) return 'ungraded';
  const number = numericOf(reward);
  if (number === undefined || !Number.isFinite(number)) return 'invalid';
  return number >= 0 && number <= 1 ? 'partial' : 'out_of_range';
}

function taskOf({ tasks }: PassAtState, key: string): TaskCount {
  const known = tasks.get(key);
  if (known) return known;
  const fresh = { n: 0, c: 0, rows: 0, print: undefined, isRepeated: true };
  tasks.set(key, fresh);
  return fresh;
}

function seePrint(task: TaskCount, print: number | undefined, isFirst: boolean): void {
  if (isFirst) task.print = print;
  if (print === undefined || print !== task.print) task.isRepeated = false;
}

/** A digest of what the agent did and said; undefined when the row tells neither. FNV-1a, 32 bits. */
function printOf(row: JsonObject): number | undefined {
  const { final_text, steps, messages } = row;
  const done = steps ?? messages;
  if (!final_text && !done) return undefined;
  const text = stringifyJson([final_text, done]);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
