import { z } from 'zod';
import { lineageSchema } from './lineage.ts';
import { privilegedSchema } from './privileged.ts';
import { worldSettingSchema } from './world-setting.ts';

/** The situation: what is asked, in which world. Nothing that was computed lives here; splits belong to the dataset. */
export const taskSchema = z.looseObject({
  task_id: z.string(),
  spec_id: z.string().optional(),
  prompt: z.string().optional(),
  prefix: z.array(z.record(z.string(), z.unknown())).optional(),
  world: worldSettingSchema.optional(),
  privileged: privilegedSchema.optional(),
  axes: z.record(z.string(), z.unknown()).optional(),
  behaviors: z.array(z.string()).optional(),
  lineage: lineageSchema.optional(),
});

export type Task = Readonly<z.output<typeof taskSchema>>;
