import { draw } from '../../core/draws.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { taskKey } from '../../rows/task-key.ts';

/** What was trimmed. */
export interface Balanced {
  readonly rows_dropped: { readonly before: number; readonly after: number };
  readonly tasks_trimmed: number;
}

interface BalancedRows {
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
  readonly balanced: Balanced;
}

/** Trim every shared task to the smaller number of rows of the two sides. Which rows stay is drawn from the seed. */
export function balanceRollouts(before: Iterable<unknown>, after: Iterable<unknown>, seed: number): BalancedRows {
  const [a, b] = [byTask(before), byTask(after)];
  const trimmed = new Set<string>();
  const trim = (rows: JsonObject[], task: string, side: string, size: number | undefined) => {
    if (size === undefined || rows.length <= size) return rows;
    trimmed.add(task);
    const drawn = rows.map((row, at) => ({ row, at, rank: draw(seed, task, at, `balance ${side}`) }));
    const kept = drawn.toSorted((one, other) => one.rank - other.rank).slice(0, size);
    return kept.toSorted((one, other) => one.at - other.at).map(({ row }) => row);
  };
  const side = (own: Map<string, JsonObject[]>, other: Map<string, JsonObject[]>, name: string) =>
    [...own].flatMap(([task, rows]) => trim(rows, task, name, other.get(task)?.length));
  const [left, right] = [side(a, b, 'before'), side(b, a, 'after')];
  const dropped = (own: Map<string, JsonObject[]>, kept: readonly JsonObject[]) =>
    [...own.values()].reduce((sum, rows) => sum + rows.length, 0) - kept.length;
  return {
    before: left,
    after: right,
    balanced: { rows_dropped: { before: dropped(a, left), after: dropped(b, right) }, tasks_trimmed: trimmed.size },
  };
}

function byTask(rows: Iterable<unknown>): Map<string, JsonObject[]> {
  const tasks = new Map<string, JsonObject[]>();
  for (const row of rows) {
    if (!isObject(row)) continue;
    const task = taskKey(row);
    const known = tasks.get(task);
    if (known) known.push(row);
    else tasks.set(task, [row]);
  }
  return tasks;
}
