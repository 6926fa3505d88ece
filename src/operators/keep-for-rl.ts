import { defineBatch } from '../core/define-batch.ts';
import { rlOptions } from '../reports/select/rl-options.ts';
import { selectForRl } from '../reports/select/select-for-rl.ts';
import type { Row } from '../rows/row.ts';

const rollout = (scenario_id: string, rollout_index: number, reward: number): Row => ({
  scenario_id,
  rollout_index,
  prompt: `Where is order ${scenario_id}?`,
  steps: [
    { tool: 'get_order', arguments: { id: scenario_id }, result: { status: reward === 1 ? 'shipped' : 'unknown' } },
  ],
  final_text: reward === 1 ? 'It has shipped.' : 'I do not know.',
  reward,
});

/**
 * Keep whole tasks whose rollouts disagree and whose pass rate lies in the band, with the pass rate they had stamped on
 * them. It decides over all rows: for streams that end. For a stream that does not, use `group` and `bandFilter`.
 * Memory: all rows.
 *
 * @rejects privileged_leak, incomplete_junk, do_nothing, unusable_label, duplicate, truncated, always_solved, never_solved,
 *   collapsed, too_easy, too_hard, over_target, prior_solved, prior_unsolved
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source DAPO (arXiv:2503.14476); rlhfbook ch. 6, 7
 */
export const keepForRl = defineBatch({
  name: 'keep-for-rl',
  options: rlOptions,
  rejects: [
    'privileged_leak',
    'incomplete_junk',
    'do_nothing',
    'unusable_label',
    'duplicate',
    'truncated',
    'always_solved',
    'never_solved',
    'collapsed',
    'too_easy',
    'too_hard',
    'over_target',
    'prior_solved',
    'prior_unsolved',
  ],
  core: (options) => (rows: readonly Row[]) => selectForRl(rows, options),
  example: {
    options: {},
    ports: {},
    in: [rollout('A1', 0, 1), rollout('A1', 1, 0), rollout('B2', 0, 1), rollout('B2', 1, 1)],
    out: [stamped(rollout('A1', 0, 1)), stamped(rollout('A1', 1, 0))],
  },
});

function stamped(row: Row): Row {
  const student = { name: '', model: null, prompt_hash: null, version: null };
  const rate = { task_id: 'A1', n: 2, pass_rate: 0.5, pass_rate_ci95: [0.0945, 0.9055] };
  return { ...row, calibration: { ...rate, student, mean_kl: null } };
}
