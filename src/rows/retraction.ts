import { z } from 'zod';
import { decisionSchema } from './decision.ts';

/** A training row that was passed on, and is taken back: an evaluation row that came later contaminates it. */
export const retractionSchema = z.looseObject({
  /** The id under which the training row was delivered. */
  row_id: z.string(),
  /** The task key of the training row. */
  task_id: z.string(),
  /** What `tracemill why` tells: the rule, its numbers, the task of the evaluation. No text of either row. */
  decision: decisionSchema,
});

export type Retraction = Readonly<z.output<typeof retractionSchema>>;

/** Say whether a row on its way to a training set takes back another one. */
export const isWithdrawal = (row: unknown): row is Retraction => retractionSchema.safeParse(row).success;
