import { z } from 'zod';

/** One behaviour of a rollout as a number. 1 is the good outcome and higher is better: a fall is the regression. */
export const markerSchema = z.looseObject({
  rollout_id: z.string(),
  /** On a topic: the task of the rollout, and the identity of the row that was measured. */
  task_id: z.string().optional(),
  row_id: z.string().optional(),
  name: z.string(),
  value: z.number(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});

export type Marker = Readonly<z.output<typeof markerSchema>>;
