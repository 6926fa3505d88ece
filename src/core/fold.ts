import type { ReportCore } from './define-report.ts';

/**
 * A report over rows, taken apart so that it can be made a row at a time and on many machines: any split and any order of
 * the rows merges to the same figures. A state is plain data: maps, lists and numbers, a few per task.
 */
export interface Fold<In, State, Out> {
  start(): State;
  /** Take one row into the state. Redelivered rows count twice: dedupe before. */
  add(state: State, row: In): void;
  /** Take what another state holds into `into`. `from` is left as it was. */
  merge(into: State, from: State): void;
  /** Make the report. The state stays usable: more rows may follow. */
  end(state: State): Out;
}

/** A fold at work: what it has taken in so far, and the report of that. */
export interface Accumulator<In, State, Out> extends ReportCore<In, Out> {
  readonly state: State;
  merge(other: { readonly state: State }): void;
}

/** Start a fold on no rows. */
export function accumulate<In, State, Out>(fold: Fold<In, State, Out>): Accumulator<In, State, Out> {
  const state = fold.start();
  return {
    state,
    add: (row) => fold.add(state, row),
    merge: (other) => fold.merge(state, other.state),
    end: () => fold.end(state),
  };
}

/** Run a fold over all rows of a list. */
export function foldRows<In, State, Out>(fold: Fold<In, State, Out>, rows: Iterable<In>): Out {
  const state = fold.start();
  for (const row of rows) fold.add(state, row);
  return fold.end(state);
}

/**
 * Run one fold for each group of rows, as `report --by FIELD` does. The groups come out in the order of their names.
 *
 * @param groupOf - the group of a row; undefined leaves the row out
 */
export function foldBy<In, State, Out>(
  fold: Fold<In, State, Out>,
  groupOf: (row: In) => string | undefined,
): Fold<In, Map<string, State>, Map<string, Out>> {
  const stateOf = (states: Map<string, State>, group: string): State => {
    const known = states.get(group) ?? fold.start();
    states.set(group, known);
    return known;
  };
  return {
    start: () => new Map(),
    add(states, row) {
      const group = groupOf(row);
      if (group !== undefined) fold.add(stateOf(states, group), row);
    },
    merge(into, from) {
      for (const [group, state] of from) fold.merge(stateOf(into, group), state);
    },
    end: (states) => new Map(inOrder(states).map(([group, state]) => [group, fold.end(state)])),
  };
}

/** The entries of a map by their names: sums over them then have the same rounding in every order of the rows. */
export function inOrder<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
