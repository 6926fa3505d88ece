import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { isTruncated } from './is-truncated.ts';

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

/** The option of everything that meets rollouts that were cut off. */
export const truncatedOptions = {
  truncated: z
    .enum(truncatedPolicies)
    .default('drop')
    .describe('What becomes of rollouts that were cut off: drop, keep without a vote, or penalize with reward 0.'),
};

/**
 * Put rollouts under a policy: marked where they are kept, and who is dropped and who votes. Rollouts that were not cut off
 * are the same objects.
 */
export function underPolicy<R extends JsonObject>(given: readonly R[], policy: TruncatedPolicy) {
  const cut = new Set<R>();
  const rows = given.map((row) => {
    if (!isTruncated(row)) return row;
    const marked = policy === 'drop' ? row : markTruncated(row, policy);
    cut.add(marked);
    return marked;
  });
  return {
    rows,
    cut: cut as ReadonlySet<R>,
    isDropped: (row: R) => policy === 'drop' && cut.has(row),
    hasVote: (row: R) => policy !== 'keep' || !cut.has(row),
  };
}
