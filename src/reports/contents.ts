import { type Fold, foldBy, foldRows } from '../core/fold.ts';
import { isObject } from '../core/json-object.ts';
import { canonicalStep } from '../rows/canonical-step.ts';
import type { Row } from '../rows/row.ts';
import { taskKey } from '../rows/task-key.ts';

/** What rows hold, counted. */
export interface Contents {
  readonly n_rows: number;
  readonly n_tasks: number;
  readonly n_calls: number;
  /** Calls whose result was recorded. */
  readonly n_results: number;
  /** Rows with a reward. */
  readonly n_graded: number;
  /** Rows in which a secret or a person was replaced. */
  readonly n_redacted: number;
  /** Rows with parts of messages that they do not hold, such as pictures. */
  readonly n_partly: number;
}

interface State {
  readonly tasks: Set<string>;
  rows: number;
  calls: number;
  results: number;
  graded: number;
  redacted: number;
  partly: number;
}

/** Count what rows hold. Memory: the keys of their tasks. */
export const contentsFold: Fold<Row, State, Contents> = {
  start: () => ({ tasks: new Set(), rows: 0, calls: 0, results: 0, graded: 0, redacted: 0, partly: 0 }),
  add(state, row) {
    state.rows++;
    state.tasks.add(taskKey(row));
    if (typeof row.reward === 'number') state.graded++;
    if (isObject(row['redacted'])) state.redacted++;
    if (isObject(row['parts_left_out'])) state.partly++;
    for (const step of row.steps ?? []) {
      if (step['tool'] === undefined || step['tool'] === null) continue;
      state.calls++;
      const { result } = canonicalStep(step);
      if (result !== undefined && result !== null) state.results++;
    }
  },
  merge(into, from) {
    for (const task of from.tasks) into.tasks.add(task);
    into.rows += from.rows;
    into.calls += from.calls;
    into.results += from.results;
    into.graded += from.graded;
    into.redacted += from.redacted;
    into.partly += from.partly;
  },
  end: ({ tasks, rows, calls, results, graded, redacted, partly }) => ({
    n_rows: rows,
    n_tasks: tasks.size,
    n_calls: calls,
    n_results: results,
    n_graded: graded,
    n_redacted: redacted,
    n_partly: partly,
  }),
};

/** The same for each file that rows came from. */
export const contentsByFile = foldBy(contentsFold, (row: Row) => String(row['source_file'] ?? ''));

/** Count what a list of rows holds. */
export const contents = (rows: Iterable<Row>): Contents => foldRows(contentsFold, rows);
