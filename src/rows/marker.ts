import { z } from 'zod';

/** One behaviour of a rollout as a number. 1 is the good outcome and higher is better: a fall is the regression. */
export const markerSchema = z.looseObject({
  rollout_id: z.string(),
  name: z.string(),
  value: z.number(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});

export type Marker = Readonly<z.output<typeof markerSchema>>;
