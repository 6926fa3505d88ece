import { z } from 'zod';
import { judgeStatuses } from './judgment.ts';
import { privilegedSchema } from './privileged.ts';

const object = z.record(z.string(), z.unknown());
const text = z.string().nullish();
const number = z.number().nullish();
/** Counts and nanoseconds: an integer beyond 2^53 is a bigint in memory. */
const whole = z.union([z.int(), z.number(), z.bigint()]).nullish();

/**
 * One row of schema v1: the flat projection of a task, a rollout, its judgments and its markers. Loose: a row keeps the
 * fields we do not know. It only checks: no default, no coercion. Null and absent mean the same.
 */
export const rowSchema = z.looseObject({
  schema_version: z.union([z.string(), z.number()]).nullish(),
  scenario_id: text.describe('The task: `task_id` of the Task.'),
  task_id: text,
  rollout_id: text,
  rollout_index: z.int().nullish().describe('Which repeat of the task, from 0.'),
  spec_id: text,
  group_id: text,

  prompt: text.describe('First words of the person.'),
  opener: text.describe('What the agent said before.'),
  opening: text,
  steps: z.array(object).nullish().describe('Tool calls, agent texts and user turns, in order.'),
  messages: z.array(object).nullish(),
  final_text: text.describe('The reply that is graded.'),
  tools: z.array(z.unknown()).nullish(),
  world_state: text,
  faults: object.nullish().describe('Planned faults by tool: mode and rate.'),
  fault_detected: z.boolean().nullish(),

  model_version: text,
  policy_version: text.describe('`<model>@<first 16 hex digits of the sha256 of the system prompt>`.'),
  writer_model: text,
  user_model: text,
  sampling: object.nullish().describe('temperature, max_tokens, model.'),
  finish_reason: text.describe('stop, length, tool or error.'),
  logprob: number.describe('Summed log-probability of the generated tokens, natural log.'),
  n_tokens: z.int().nullish(),
  token_logprobs: z.array(z.number()).nullish(),
  usage: object.nullish(),

  reward: z.number().nullish().describe('The verdict, 0 to 1; null when nobody could judge.'),
  reason: text,
  label_source: text,
  judge_name: text,
  judge_status: text.describe(`How judging ended: ${judgeStatuses.join(', ')}.`),
  judge_meta: object.nullish(),
  failure_class: text,
  llm_reward: number,
  llm_reason: text,
  qwen_reward: number,
  markers: object.nullish().describe('Behaviour numbers by name; 1 is good.'),
  gold_reward: number.describe('The trusted label, 0 or 1.'),
  gold_labels: z.array(object).nullish(),
  calibration: object.nullish(),

  conversation_id: text,
  ts: whole.describe('Start in ns since 1970.'),
  lineage: object.nullish(),
  privileged: privilegedSchema.nullish().describe('The answer key. In memory only.'),
});

/** A row on its way. Read-only: whoever changes one makes a new one. */
export type Row = Readonly<z.output<typeof rowSchema>>;
