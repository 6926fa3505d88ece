import { z } from 'zod';
import { decisionSchema } from './decision.ts';

/** Records of one partition of a topic that a part answers for. */
const stretchSchema = z.looseObject({
  topic: z.string(),
  partition: z.int().min(0),
  /** Offsets of the first and the last record that rows of the part came of. */
  first: z.string(),
  last: z.string(),
});

/** What a training set says of one of its parts. A part whose entry is there is whole and never changes. */
export const trainingPartSchema = z.looseObject({
  /** Where its rows came from and its number there, such as `p03-000007`. */
  part: z.string(),
  /** File of its samples, beside the folder of the entries. */
  file: z.string(),
  /** Rollouts in it, and the samples that were made of them. */
  rows: z.int().min(0),
  samples: z.int().min(0),
  bytes: z.int().min(0),
  /** Of the file. */
  sha256: z.string(),
  /** Ids of its rollouts, in the order of the file. */
  row_ids: z.array(z.string()),
  /** How many lines of the file each of them has, in the same order. */
  row_samples: z.array(z.int().min(0)).default([]),
  /**
   * Ids of rollouts that a later telling of their trace replaced or took back, or an evaluation: leave their lines out,
   * whichever part they are in.
   */
  retracted: z.array(z.string()).default([]),
  /** Rollouts that no training file may hold, and why. They are in no part. */
  refused: z.array(z.looseObject({ row_id: z.string(), reason: z.string() })),
  /** Why each of its rollouts is in it, or is not: where it came from, who graded it, what was asked. */
  decisions: z.array(decisionSchema).optional(),
  /** The records they came of; empty for rows of a file. */
  offsets: z.array(stretchSchema),
  schema_version: z.string(),
});

export type TrainingPart = Readonly<z.output<typeof trainingPartSchema>>;
