import { type Fold, foldRows } from '../core/fold.ts';
import { isObject } from '../core/json-object.ts';
import { asWarnings, type Remark } from '../core/remarks.ts';
import { type Stage, stageOf, stages } from '../rows/stage.ts';
import { taskKey } from '../rows/task-key.ts';

/** Rows and tasks by stage. */
export interface StageState {
  unstamped: number;
  readonly rows: Map<Stage, number>;
  readonly tasks: Map<Stage, Set<string>>;
}

/** What is used for what, and which tasks are used for both training and evaluation. */
export interface StageReport {
  readonly counts: Readonly<Partial<Record<Stage, number>>>;
  readonly n_unstamped: number;
  readonly tasks_per_stage: Readonly<Partial<Record<Stage, number>>>;
  /** The first 50 tasks, by name, that are both evaluated and trained on. */
  readonly eval_train_leaks: readonly string[];
  readonly n_leaks: number;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/**
 * Report which stage of training each row is for, and the tasks that leak from the evaluation into training.
 *
 * Memory: the names of the tasks of each stage.
 *
 * @source rlhfbook ch. 3
 */
export function stageReport(rows: Iterable<unknown>): StageReport {
  return foldRows(stageFold, rows);
}

/** `stageReport` a row at a time. */
export const stageFold: Fold<unknown, StageState, StageReport> = {
  start: () => ({ unstamped: 0, rows: new Map(), tasks: new Map() }),
  add(state, row) {
    if (!isObject(row)) return;
    const stage = stageOf(row);
    if (!stage) {
      state.unstamped++;
      return;
    }
    const task = taskKey(row);
    take(state, stage, 1, task === '' ? [] : [task]); // a row without a task shares it with no other
  },
  merge(into, from) {
    into.unstamped += from.unstamped;
    for (const [stage, n] of from.rows) take(into, stage, n, from.tasks.get(stage) ?? []);
  },
  end({ unstamped, rows, tasks }) {
    const seen = stages.filter((stage) => rows.has(stage));
    const trained = seen.filter((stage) => stage !== 'eval').map((stage) => tasks.get(stage));
    const leaks = [...(tasks.get('eval') ?? [])].filter((task) => trained.some((names) => names?.has(task))).sort();
    return {
      counts: Object.fromEntries(seen.map((stage) => [stage, rows.get(stage)])),
      n_unstamped: unstamped,
      tasks_per_stage: Object.fromEntries(seen.map((stage) => [stage, tasks.get(stage)?.size])),
      eval_train_leaks: leaks.slice(0, 50),
      n_leaks: leaks.length,
      ...asWarnings(warningsOf(leaks.length, unstamped)),
    };
  },
};

function take({ rows, tasks }: StageState, stage: Stage, n: number, names: Iterable<string>): void {
  rows.set(stage, (rows.get(stage) ?? 0) + n);
  const known = tasks.get(stage) ?? new Set();
  for (const name of names) known.add(name);
  tasks.set(stage, known);
}

function warningsOf(leaks: number, unstamped: number): Remark[] {
  const found: Remark[] = [];
  if (leaks > 0) found.push({ code: 'eval_train_leak', text: `${leaks} tasks of the evaluation are trained on.` });
  if (unstamped > 0) found.push({ code: 'unstamped', text: `${unstamped} rows do not say what they are for.` });
  return found;
}
