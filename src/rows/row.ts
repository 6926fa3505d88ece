import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/**
 * One row of schema v1: the flat projection of a task, a rollout, its judgments and its markers. Loose: a row keeps the
 * fields we do not know. It only checks: no default, no coercion.
 */
export const rowSchema = z.looseObject({
  schema_version: z.union([z.string(), z.number()]).nullish(),
  scenario_id: z.string().nullish(),
  task_id: z.string().nullish(),
  rollout_id: z.string().nullish(),
  rollout_index: z.int().nullish(),
  prompt: z.string().nullish(),
  steps: z.array(object).nullish(),
  messages: z.array(object).nullish(),
  final_text: z.string().nullish(),
  reward: z.number().nullish(),
  reason: z.string().nullish(),
  judge_name: z.string().nullish(),
  judge_status: z.string().nullish(),
  failure_class: z.string().nullish(),
  markers: object.nullish(),
});

/** A row on its way. Read-only: whoever changes one makes a new one. */
export type Row = Readonly<z.output<typeof rowSchema>>;
