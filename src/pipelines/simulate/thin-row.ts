import { isObject } from '../../core/json-object.ts';
import type { Row } from '../../rows/row.ts';

const kept = [
  'prompt',
  'scenario_id',
  'scenario_dimensions',
  'rollout_id',
  'rollout_index',
  'behavior_signature',
  'tier',
  'faults',
  'lineage',
  'reward',
] as const;

/** What the report of a run needs of a row, where the row itself is on disk and need not be held. */
export function thinRow(row: Row): Row {
  const steps = (row.steps ?? []).map(({ tool, result }) =>
    tool === undefined ? {} : { tool, result: isObject(result) ? { status: result['status'] } : null },
  );
  return { ...Object.fromEntries(kept.map((key) => [key, row[key]])), steps };
}
