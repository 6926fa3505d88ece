import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';
import { stringifyJson } from '../core/json.ts';

import type { JsonObject } from '../core/json-object.ts';

/**
 * Name the task of a row, the one key every report groups by: the first of `scenario_id`, `task_id` and `prompt` that is
 * not empty, as text; `''` when all are. No trimming and no case folding. `0`, `''`, `false` and null count as empty.
 *
 * @source house rule
 */
export function taskKey(row: JsonObject): string {
  const name = row['scenario_id'] || row['task_id'] || row['prompt'] || '';
  return typeof name === 'object' ? stringifyJson(name) : String(name);
}

/**
 * Name a row: its `rollout_id`, else `scenario_id#rollout_index` when both are there (an empty scenario counts), else the
 * first 16 hex digits of sha1 over `prompt`, U+001F and `final_text`. For joining labels to rows, never for telling
 * repeats apart: two equal replies to one prompt share the text hash.
 *
 * @source house rule
 */
export function rowKey(row: JsonObject): string {
  const { rollout_id, scenario_id, rollout_index } = row;
  if (rollout_id) return String(rollout_id);
  if (isThere(scenario_id) && isThere(rollout_index)) return `${String(scenario_id)}#${String(rollout_index)}`;
  const text = `${textOf(row['prompt'])}\u001f${textOf(row['final_text'])}`;
  return createHash('sha1').update(text).digest('hex').slice(0, 16);
}

/** Whether a row has a name of its own: a `rollout_id`, or a scenario and an index. */
export const hasRowName = ({ rollout_id, scenario_id, rollout_index }: JsonObject): boolean =>
  Boolean(rollout_id) || (isThere(scenario_id) && isThere(rollout_index));

/**
 * Name what was said and done in a row that has no name of its own: 24 hex digits of sha1 over its prompt, reply, steps and
 * messages. Rows that share it are word for word the same.
 *
 * @source house rule
 */
export function episodeKey(row: JsonObject): string {
  const { prompt, final_text, steps, messages } = row;
  const text = canonicalJson([prompt ?? null, final_text ?? null, steps ?? null, messages ?? null]);
  return createHash('sha1').update(text).digest('hex').slice(0, 24);
}

const isThere = (value: unknown) => value !== undefined && value !== null;
const textOf = (value: unknown) => (isThere(value) ? String(value) : '');
