import { isObject, type JsonObject } from '../core/json-object.ts';
import { cleanFaults } from './clean-faults.ts';
import { conversationOf } from './conversation.ts';
import { carriedKeys, type RowParts } from './from-row.ts';
import type { Judgment } from './judgment.ts';
import type { Rollout } from './rollout.ts';
import type { Row } from './row.ts';
import { schemaVersion } from './row-shape.ts';
import { stepSchema } from './step.ts';
import type { Task } from './task.ts';

/** What may be left out: a task and a rollout alone are a row. */
type Parts = Pick<RowParts, 'task' | 'rollout'> & Partial<RowParts>;

/**
 * Project a task, a rollout, its judgments and its markers onto one flat row: the inverse of `fromRow`. The result is for
 * memory, not for a file: a `privileged` block that the source row carried is on it. `exportRow` makes the row that leaves.
 */
export function toRow({ task, rollout, judgments = [], markers = [] }: Parts): Row {
  const extra = rollout.extra ?? {};
  const { messages, ...carried } = extra;
  const core = {
    prompt: task.prompt ?? '',
    steps: (rollout.steps ?? []).map(withoutNulls),
    final_text: rollout.final_text,
    scenario_id: task.task_id,
  };
  const rebuilt = () => conversationOf({ ...core, opener: extra['opener'] });
  const row = {
    ...core,
    messages: Array.isArray(messages) && messages.length > 0 ? messages : rebuilt(),
    ...task.axes,
    ...situation(task),
    ...episode(rollout),
    ...verdict(judgments),
    ...(markers.length > 0 ? { markers: Object.fromEntries(markers.map(({ name, value }) => [name, value])) } : {}),
    ...Object.fromEntries(carriedKeys.filter((key) => key in carried).map((key) => [key, carried[key]])),
    ...(isObject(extra['calibration']) ? { calibration: extra['calibration'] } : {}),
  };
  const passthrough = isObject(extra['passthrough']) ? extra['passthrough'] : {};
  return { ...passthrough, ...row, schema_version: schemaVersion } as Row; // what passes through is unknown by definition
}

function situation({ spec_id, world }: Task): JsonObject {
  const faults = cleanFaults(world?.faults);
  const state = world?.state;
  const isKnown = state && state !== 'unspecified' && state !== 'unknown';
  return {
    ...(spec_id ? { spec_id } : {}),
    ...(isKnown ? { world_state: state } : {}),
    ...(faults ? { faults } : {}),
    ...(isThere(world?.seed) ? { seed: world?.seed } : {}),
  };
}

function episode({ index, policy, extra }: Rollout): JsonObject {
  return {
    ...(index || extra?.['rollout_index_present'] ? { rollout_index: index ?? 0 } : {}),
    ...(isThere(policy?.model) ? { model_version: policy?.model } : {}),
    ...(policy?.version ? { policy_version: policy.version } : {}),
  };
}

function verdict(judgments: readonly Judgment[]): JsonObject {
  const primary = judgments.find(({ scorer }) => scorer.name !== 'llm' && scorer.name !== 'qwen');
  const llm = judgments.find(({ scorer }) => scorer.name === 'llm');
  const qwen = judgments.find(({ scorer }) => scorer.name === 'qwen');
  return {
    ...(primary ? primaryVerdict(primary) : {}),
    ...(llm ? { llm_reward: llm.reward, ...(llm.reason ? { llm_reason: llm.reason } : {}) } : {}),
    ...(qwen && qwen.reward !== null ? { qwen_reward: qwen.reward } : {}),
  };
}

function primaryVerdict({ scorer, reward, status, reason, failure_class, evidence = {} }: Judgment): JsonObject {
  const { judge_meta, label_source, grader_reason, reward_present, raw_status } = evidence;
  const isStamped = isObject(judge_meta) && Boolean(judge_meta['scorer_kind']);
  const isJudge = scorer.kind !== 'rule' || isStamped;
  const names = isJudge
    ? { judge_name: scorer.name, ...(label_source ? { label_source } : {}) }
    : { label_source: scorer.name };
  const said = raw_status ?? status;
  return {
    ...(reward !== null || reward_present ? { reward } : {}),
    ...(reason ? { reason } : {}),
    ...(grader_reason ? { grader_reason } : {}),
    ...(scorer.name === 'unlabeled' ? {} : names),
    ...(said === 'ok' ? {} : { judge_status: said }),
    ...(judge_meta ? { judge_meta } : {}),
    ...(failure_class ? { failure_class } : {}),
  };
}

/** A step says null of what it has no field for; what it was called with and what came back may really be null. */
const absentWhenNull: ReadonlySet<string> = new Set(
  Object.keys(stepSchema.shape).filter((key) => key !== 'arguments' && key !== 'result'),
);
const withoutNulls = (step: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(step).filter(([key, value]) => value !== null || !absentWhenNull.has(key)));
const isThere = (value: unknown) => value !== undefined && value !== null;
