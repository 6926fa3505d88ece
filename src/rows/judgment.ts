import { z } from 'zod';

export const scorerKinds = ['rule', 'judge', 'reward_model', 'human'] as const;
export const judgeStatuses = ['ok', 'missing_reward', 'invalid_result', 'error', 'timeout'] as const;

/** What one scorer said of one rollout. No verdict is `reward: null` and a status, never a zero. */
export const judgmentSchema = z.looseObject({
  rollout_id: z.string(),
  /** On a topic: the task of the rollout, and the identity of the row that was graded (rollout, evaluation and scoring run). */
  task_id: z.string().optional(),
  row_id: z.string().optional(),
  scorer: z.looseObject({ name: z.string(), kind: z.enum(scorerKinds), version: z.string().nullish() }),
  reward: z.number().nullable(),
  status: z.enum(judgeStatuses),
  reason: z.string().optional(),
  failure_class: z.string().nullish(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});

export type Judgment = Readonly<z.output<typeof judgmentSchema>>;
export type ScorerKind = (typeof scorerKinds)[number];
export type JudgeStatus = (typeof judgeStatuses)[number];
