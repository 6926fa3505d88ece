import { createHash } from 'node:crypto';
import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { askLabels } from './ask.ts';
import { calibrationOf } from './calibration.ts';
import type { Judgment } from './judgment.ts';
import { judgmentsOf, unheldVerdict, verdictKeys } from './judgments-of.ts';
import type { Marker } from './marker.ts';
import { normalRow } from './normal-row.ts';
import { finiteNumber } from './numeric.ts';
import { plainText } from './plain-text.ts';
import type { Rollout } from './rollout.ts';
import type { Step } from './step.ts';
import type { Task } from './task.ts';

/** What a row is the flat projection of. */
export interface RowParts {
  readonly task: Task;
  readonly rollout: Rollout;
  readonly judgments: readonly Judgment[];
  readonly markers: readonly Marker[];
}

/** Facts of a rollout that have no field of their own in it and ride in its `extra` by name. */
export const carriedKeys = [
  'messages',
  'opener',
  'opening',
  'conversation_id',
  'ts',
  'fault_detected',
  'lineage',
  'quality',
  'quality_reason',
  'quality_scores',
  'behavior_signature',
  'steering',
  'tools',
  'group_id',
  'logprob',
  'n_tokens',
  'token_logprobs',
  'sampling',
  'usage',
  'writer_model',
  'user_model',
] as const;

/** Keys that one of the objects holds; every other key passes through. */
const heldKeys: ReadonlySet<string> = new Set([
  'schema_version',
  'prompt',
  'steps',
  'final_text',
  'scenario_id',
  'spec_id',
  'world_state',
  'faults',
  'seed',
  'rollout_index',
  'model_version',
  'policy_version',
  'markers',
  'calibration',
  ...askLabels,
  ...verdictKeys,
  ...carriedKeys,
]);

/**
 * Split a row of any version and shape into its task, its rollout, its judgments and its markers. Keys that none of them
 * models pass through in `rollout.extra`.
 *
 * @throws TM_ROW, `type_error` - it is no object
 */
export function fromRow(given: unknown): RowParts {
  if (!isObject(given)) throw new TracemillError('TM_ROW', 'fromRow: a row is a JSON object', { reason: 'type_error' });
  const row = normalRow(given);
  const task = taskOf(row);
  const rollout = rolloutOf(row, task.task_id);
  const { rollout_id } = rollout;
  return { task, rollout, judgments: judgmentsOf(row, rollout_id), markers: markersOf(row, rollout_id) };
}

function taskOf(row: JsonObject): Task {
  const prompt = plainText(row['prompt']);
  const { privileged, faults, seed, world_state } = row;
  const block = isObject(privileged) ? privileged : {};
  return {
    task_id: plainText(row['scenario_id']) || taskIdOf(prompt),
    spec_id: plainText(row['spec_id']),
    prompt,
    prefix: [],
    world: {
      seed: typeof seed === 'bigint' ? seed : (finiteNumber(seed) ?? null),
      state: isThere(world_state) ? String(world_state) : null,
      faults: objectOf(faults),
      exemplars: {},
    },
    privileged: {
      principle: isThere(block['principle']) ? String(block['principle']) : null,
      hidden_state: objectOf(block['hidden_state']),
      reference: block['reference'] ?? null,
      rubric: objectOf(block['rubric']),
    },
    axes: Object.fromEntries(askLabels.filter((axis) => isThere(row[axis])).map((axis) => [axis, row[axis]])),
    behaviors: [],
    lineage: { parent_task_id: null, transform: null, seed: null },
  };
}

function rolloutOf(row: JsonObject, task_id: string): Rollout {
  const { steps, model_version: model, policy_version, faults } = row;
  const index = integerOf(row['rollout_index']) ?? 0;
  return {
    rollout_id: plainText(row['rollout_id']) || hex12([task_id, index, model || ''].join('|')),
    task_id,
    policy: {
      name: plainText(model),
      model: isThere(model) ? String(model) : null,
      prompt_hash: null,
      version: policy_version ? String(policy_version) : null,
    },
    index,
    steps: Array.isArray(steps) ? steps.filter(isObject).map(stepOf) : [],
    final_text: plainText(row['final_text']),
    ledger: ledgerOf(faults),
    usable: true,
    unusable_reason: null,
    extra: extraOf(row),
  };
}

function extraOf(row: JsonObject): JsonObject {
  const calibration = calibrationOf(row);
  const raw = row['calibration'];
  const passthrough = {
    ...Object.fromEntries(Object.entries(row).filter(([key]) => !heldKeys.has(key))),
    ...unheldVerdict(row),
    ...(calibration === null && isThere(raw) ? { calibration: raw } : {}),
  };
  return {
    ...Object.fromEntries(carriedKeys.filter((key) => isThere(row[key])).map((key) => [key, row[key]])),
    ...(isThere(row['rollout_index']) ? { rollout_index_present: true } : {}),
    ...(Object.keys(passthrough).length > 0 ? { passthrough } : {}),
    ...(calibration === null ? {} : { calibration: { ...objectOf(raw), ...calibration } }),
  };
}

/** Sampling facts that cannot be read are left out; whatever else a step carries stays. */
function stepOf(step: JsonObject): Step {
  const { logprob, n_tokens, truncated, input_tokens, output_tokens, ...rest } = step;
  const facts = {
    logprob: finiteNumber(logprob),
    n_tokens: integerOf(n_tokens) || undefined,
    truncated: truncated ? true : undefined,
    input_tokens: integerOf(input_tokens),
    output_tokens: integerOf(output_tokens),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(known) } as Step; // the words of a step are checked by validateRow, not here
}

function ledgerOf(faults: unknown): Rollout['ledger'] {
  return Object.entries(objectOf(faults)).flatMap(([tool, plan]) => {
    if (!isObject(plan) || !plan['mode']) return [];
    return [{ tool, mode: String(plan['mode']), rate: finiteNumber(plan['rate']) ?? null, injected: true }];
  });
}

function markersOf(row: JsonObject, rollout_id: string): readonly Marker[] {
  return Object.entries(objectOf(row['markers'])).flatMap(([name, given]) => {
    const value = finiteNumber(given);
    return value === undefined ? [] : [{ rollout_id, name, value, evidence: {} }];
  });
}

/** Name a task that came without a name: the same prompt is the same task. */
export const taskIdOf = (prompt: string): string => `task_${hex12(prompt)}`;
/** Name a rollout that came without a name. */
export const hex12 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

function integerOf(value: unknown): number | undefined {
  const number = finiteNumber(value);
  return number === undefined ? undefined : Math.trunc(number);
}
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const isThere = (value: unknown) => value !== undefined && value !== null;
