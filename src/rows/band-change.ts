import { z } from 'zod';

/** A task entered the band of pass rates that train, or left it. The latest change of a task says where it is. */
export const bandChangeSchema = z.looseObject({
  /** The task key. */
  task_id: z.string(),
  change: z.enum(['entered', 'left']),
  /** `in_band`, or why it left, in the words of `bandFilter`: `too_easy`, `always_solved`, `unjudged` ... */
  reason: z.string(),
  /** Graded rollouts that vote, and the share of them that passes; null without any. */
  n: z.int().min(0),
  pass_rate: z.number().nullable(),
  /** Wilson, 95 %, 4 decimals. */
  pass_rate_ci95: z.tuple([z.number(), z.number()]).nullable(),
  band: z.tuple([z.number(), z.number()]),
  /** The rollout that moved it. */
  cause: z.string(),
});

export type BandChange = Readonly<z.output<typeof bandChangeSchema>>;
