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
