import type { JsonObject } from '../core/json-object.ts';

/**
 * Name a row so that rows can be put in order whatever order they came in: `rollout_id`, else
 * `scenario_id#rollout_index`. Undefined for a row that carries neither; its place in the input is then its only name.
 */
export function rowId(row: JsonObject): string | undefined {
  const { rollout_id, scenario_id, rollout_index } = row;
  if (!isEmpty(rollout_id)) return String(rollout_id);
  if (scenario_id === undefined || scenario_id === null || typeof rollout_index !== 'number') return undefined;
  return `${String(scenario_id)}#${String(rollout_index).padStart(8, '0')}`;
}

/** Put rows in the order that every "first" means: by id, then those without an id as they came. The input stays as it is. */
export function inRowOrder<R extends JsonObject>(rows: readonly R[]): readonly R[] {
  const runs = runsOf(rows);
  if (areInOrder(runs)) return rows;
  const sorted = runs.toSorted((a, b) => compare(a.first, b.first));
  if (areInOrder(sorted)) return sorted.flatMap(({ from, to }) => rows.slice(from, to));
  const named = rows.map((row) => ({ row, id: rowId(row) }));
  return named.sort(({ id: a }, { id: b }) => compare(a, b)).map(({ row }) => row);
}

/** Rows that stand in order: usually those of a scenario, and only the ids at both ends are written out. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

function runsOf(rows: readonly JsonObject[]): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = from + 1;
    while (to < rows.length && isNextOf(rows[to - 1] as JsonObject, rows[to] as JsonObject)) to++;
    runs.push({ from, to, first: rowId(rows[from] as JsonObject), last: rowId(rows[to - 1] as JsonObject) });
  }
  return runs;
}

/** Equal ids stay as they came. */
function areInOrder(runs: readonly Run[]): boolean {
  for (let at = 1; at < runs.length; at++) {
    const [before, run] = [runs[at - 1] as Run, runs[at] as Run];
    const order = compare(before.last, run.first);
    if (order > 0 || (order === 0 && before.from > run.from)) return false;
  }
  return true;
}

function isNextOf(before: JsonObject, row: JsonObject): boolean {
  const [from, to] = [before['rollout_index'], row['rollout_index']];
  return (
    isEmpty(before['rollout_id']) &&
    isEmpty(row['rollout_id']) &&
    typeof row['scenario_id'] === 'string' &&
    before['scenario_id'] === row['scenario_id'] &&
    isPlace(from) &&
    isPlace(to) &&
    from <= to
  );
}

const isEmpty = (id: unknown): boolean => id === undefined || id === null || id === '';

/** A place whose digits are in order when they are padded. */
const isPlace = (index: unknown): index is number =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 1e8;

function compare(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined || a < b ? -1 : 1;
}
