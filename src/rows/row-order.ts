import type { JsonObject } from '../core/json-object.ts';

/**
 * Name a row so that rows can be put in order whatever order they came in: `rollout_id`, else
 * `scenario_id#rollout_index`. Undefined for a row that carries neither; its place in the input is then its only name.
 */
export function rowId(row: JsonObject): string | undefined {
  const { rollout_id, scenario_id, rollout_index } = row;
  if (rollout_id !== undefined && rollout_id !== null && rollout_id !== '') return String(rollout_id);
  if (scenario_id === undefined || scenario_id === null || typeof rollout_index !== 'number') return undefined;
  return `${String(scenario_id)}#${String(rollout_index).padStart(8, '0')}`;
}

/** Put rows in the order that every "first" means: by id, then those without an id as they came. The input stays as it is. */
export function inRowOrder<R extends JsonObject>(rows: readonly R[]): readonly R[] {
  const named = rows.map((row) => ({ row, id: rowId(row) }));
  const isInOrder = named.every(({ id }, at) => at === 0 || compare(named[at - 1]?.id, id) <= 0);
  if (isInOrder) return rows;
  return named.sort(({ id: a }, { id: b }) => compare(a, b)).map(({ row }) => row);
}

function compare(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined || a < b ? -1 : 1;
}
