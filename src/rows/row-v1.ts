import { z } from 'zod';
import { calibrationSchema } from './calibration.ts';
import { judgeStatuses } from './judgment.ts';
import { rowSchema } from './row.ts';
import { schemaVersion } from './row-shape.ts';
import { stepSchema } from './step.ts';

const version = z.literal(schemaVersion);
const message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  name: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
  tool_call_id: z.string().nullish(),
});

/** A row as a file or a topic holds it: stamped, with the four fields every reader may count on. */
export const rowV1Schema = rowSchema.extend({
  schema_version: version,
  prompt: z.string(),
  steps: z.array(stepSchema),
  final_text: z.string(),
  messages: z.array(message).nullish(),
  judge_status: z.enum(judgeStatuses).nullish(),
  finish_reason: z.enum(['stop', 'length', 'tool', 'error']).nullish(),
  markers: z.record(z.string(), z.number()).nullish(),
  gold_reward: z.literal([0, 1]).nullish(),
  calibration: calibrationSchema.partial({ task_id: true, student: true }).nullish(),
});

/** A sample for supervised training. */
export const trainingRowSchema = z.looseObject({
  schema_version: version,
  messages: z.array(message).min(1),
  loss_mask: z
    .array(z.literal([0, 1]))
    .optional()
    .describe('One for each message; 1 is trained.'),
  tools: z.array(z.unknown()).optional(),
  group_id: z.string().optional(),
});

/** A preference pair. */
export const preferenceRowSchema = z.looseObject({
  schema_version: version,
  prompt: z.unknown(),
  chosen: z.array(z.unknown()).min(1),
  rejected: z.array(z.unknown()).min(1),
  chosen_score: z.number().optional(),
  rejected_score: z.number().optional(),
  margin: z.number().optional().describe('chosen_score - rejected_score.'),
  chosen_model: z.string().nullish(),
  rejected_model: z.string().nullish(),
  same_policy: z.boolean().nullish().describe('Both sides come from one policy; null when unknown.'),
  length_delta: z.int().optional().describe('Characters of the chosen reply minus the rejected one.'),
  tools: z.array(z.unknown()).optional(),
});
