import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** A run of a pipeline over topics: what it was made with, and how far it is. Answer keys and passwords are no part of it. */
export const runRecordSchema = z.looseObject({
  run_id: z
    .string()
    .describe('Hash of the pipeline, the prefix and the settings: the same command goes on with the same run.'),
  pipeline: z.string(),
  prefix: z.string(),
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  reason: z.string().optional().describe('Why it failed.'),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
  settings: object.describe('Agent, judge, files and options, as they were named.'),
  tools: z.array(object).optional(),
  system_prompt: z.string().optional(),
});

export type RunRecord = Readonly<z.output<typeof runRecordSchema>>;
