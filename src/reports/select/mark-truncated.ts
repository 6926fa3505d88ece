import { isObject, type JsonObject } from '../../core/json-object.ts';

/** What becomes of a rollout that was cut off. */
export const truncatedPolicies = ['drop', 'keep', 'penalize'] as const;
export type TruncatedPolicy = (typeof truncatedPolicies)[number];

/**
 * Mark a copy of a rollout that was cut off, to keep it: `overlong`, and the marker `finished` 0. Under `penalize` its
 * reward becomes 0 by rule; what the judge had said stays in `reward_before_penalty` and `judge_meta`.
 *
 * @source DAPO (arXiv:2503.14476), overlong reward shaping
 */
export function markTruncated<R extends JsonObject>(row: R, policy: 'keep' | 'penalize'): R {
  const markers = { ...(isObject(row['markers']) ? row['markers'] : {}), finished: 0 };
  const marked = { ...row, overlong: true, markers };
  if (policy === 'keep') return marked;
  const { failure_class: _, ...rest } = marked as R & { failure_class?: unknown };
  const reward_before_penalty = row['reward'] ?? null;
  return {
    ...rest,
    reward: 0,
    reward_before_penalty,
    judge_name: 'overlong_penalty',
    judge_status: 'ok',
    judge_meta: {
      reward_before_penalty,
      judge_before: row['judge_name'] ?? null,
      reason_before: row['reason'] ?? null,
      scorer_kind: 'rule',
    },
  } as unknown as R; // a row with other verdict fields: rows are loose
}
