import type { JsonObject } from '../core/json-object.ts';
import { revisionOf } from './revision.ts';
import { rowKey } from './task-key.ts';

/**
 * Name one delivery of a row, to drop the same verdict delivered twice: `rollout_id`, or `scenario_id#rollout_index`, with
 * the run of the evaluation and of the scoring, and the revision of a trace. Undefined for a row without such names: two equal texts are two rollouts.
 *
 * @source house rule
 */
export function deliveryKey(row: JsonObject): string | undefined {
  const { rollout_id, scenario_id, rollout_index, lineage } = row;
  const isIndexed = scenario_id !== undefined && scenario_id !== null && typeof rollout_index === 'number';
  if (!rollout_id && !isIndexed) return undefined;
  const { eval_run, scoring_run_id } = (lineage ?? {}) as JsonObject;
  const name = rollout_id ? [String(rollout_id)] : [String(scenario_id), String(rollout_index)];
  const revision = revisionOf(row);
  return JSON.stringify([
    ...name,
    String(eval_run ?? ''),
    String(scoring_run_id ?? ''),
    ...(revision === 0 ? [] : [revision]),
  ]);
}

/** Name one delivery of any row: `deliveryKey`, and where it has none what `rowKey` names it. */
export const deliveryId = (row: JsonObject): string => deliveryKey(row) ?? rowKey(row);

/**
 * Read the trace and the revision of an id that `deliveryKey` made of a row with a revision; undefined for any other id.
 * Deliveries of one trace differ in the revision alone.
 */
export function deliveryNames(id: string): { readonly name: string; readonly revision: number } | undefined {
  const names = namesIn(id);
  const revision = names.at(-1);
  return typeof revision === 'number' ? { name: JSON.stringify(names.slice(0, -1)), revision } : undefined;
}

function namesIn(id: string): readonly unknown[] {
  if (!id.startsWith('[')) return [];
  try {
    return JSON.parse(id) as readonly unknown[];
  } catch {
    return []; // a name of another kind
  }
}
