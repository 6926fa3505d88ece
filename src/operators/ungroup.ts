import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { carryCalibration } from '../reports/select/calibrate.ts';
import { truncatedOptions, underPolicy } from '../reports/select/mark-truncated.ts';
import type { Group } from '../rows/group.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject(truncatedOptions);

/** The rule alone: the rows of `selectForRl`, for one group. */
export function ungroupCore({ truncated }: z.output<typeof options>) {
  return ({ rollouts }: Group, reject: (row: unknown, reason: string) => void): readonly Row[] => {
    const { rows, hasVote, isDropped } = underPolicy(rollouts, truncated);
    rows.filter(isDropped).forEach((row) => {
      reject(row, 'truncated');
    });
    const whole = rows.filter((row) => !isDropped(row));
    return carryCalibration(rows, [...whole.filter(hasVote), ...whole.filter((row) => !hasVote(row))]).rows;
  };
}

/**
 * Give the rollouts of a group one by one again, each with the pass rate of its task as `calibration`. Rollouts that were
 * cut off are rejected, or come last and marked: use the policy of the band filter before it.
 * Memory: the rollouts of one group.
 *
 * @rejects truncated - the rollout was cut off, and the policy is `drop`
 * @throws TM_OPTIONS - when built, if an option is unknown
 * @source rlhfbook ch. 7
 */
export const ungroup = defineExpand({
  name: 'ungroup',
  options,
  rejects: ['truncated'],
  core: ungroupCore,
  example: {
    options: {},
    in: [{ group_id: 't', task_id: 't', is_complete: true, rollouts: [rollout('a', 1), rollout('b', 0)] }],
    out: [stamped('a', 1), stamped('b', 0)],
  },
});

function rollout(rollout_id: string, reward: number): Row {
  return { rollout_id, task_id: 't', final_text: 'Done.', reward };
}

function stamped(rollout_id: string, reward: number): Row {
  const student = { name: '', model: null, prompt_hash: null, version: null };
  const rate = { n: 2, pass_rate: 0.5, mean_kl: null, pass_rate_ci95: [0.0945, 0.9055] };
  return { ...rollout(rollout_id, reward), calibration: { task_id: 't', ...rate, student } };
}
