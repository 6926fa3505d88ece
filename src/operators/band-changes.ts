import { z } from 'zod';
import { defineKeyed, type KeyedCore, keyedOptions } from '../core/define-keyed.ts';
import { isTruncated } from '../reports/select/is-truncated.ts';
import type { BandChange } from '../rows/band-change.ts';
import { deliveryId, deliveryNames } from '../rows/delivery-key.ts';
import { groupLabel, type Label } from '../rows/label.ts';
import { isRetraction, revisionOf } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';
import { taskKey } from '../rows/task-key.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import { bandFilter, judgeGroup } from './band-filter.ts';

const { lo, hi, truncated, allowUnjudged } = bandFilter.spec.options.shape;
const options = z
  .strictObject({
    lo,
    hi,
    truncated,
    allowUnjudged,
    minRollouts: z
      .int()
      .min(1)
      .default(2)
      .describe('Rollouts that a task needs before it is judged; 1 lets a single rollout enter, as `bandFilter` does.'),
    k: z
      .int()
      .min(1)
      .optional()
      .describe('Rollouts of a task. With it a task that has them all is finished, and nothing of it is remembered.'),
    ...keyedOptions,
  })
  .refine((given) => given.lo <= given.hi, { path: ['lo'], message: 'lo is above hi' });

/** What decides of a rollout, without its text. */
interface Vote {
  readonly task: string;
  readonly label: Label | undefined;
  readonly isCut: boolean;
  readonly revision: number;
  readonly isGone: boolean;
}

/** The rule alone: that of `bandFilter`, asked after each rollout. */
export function bandChangesCore(given: z.output<typeof options>): KeyedCore<Row, Vote, BandChange> {
  const { minRollouts, k, maxIdleMs: _idle, maxParked: _parked, ...band } = given;
  const judge = judgeGroup({ ...band, allowIncomplete: true });
  return {
    key: taskKey,
    id: (row) => deliveryNames(deliveryId(row))?.name ?? deliveryId(row),
    keep: (row) => ({
      task: taskKey(row),
      label: groupLabel(row),
      isCut: isTruncated(row),
      revision: revisionOf(row),
      isGone: isRetraction(row),
    }),
    replaces: (row, known) => row.revision > known.revision,
    full: (rows) => k !== undefined && rows.size >= k,
    tell(votes, cause, last) {
      const [first] = votes.values();
      const task_id = first?.task ?? '';
      const rollouts = [...votes.values()].filter(({ isGone }) => !isGone).map(asRow);
      const { reason, rate } = judge({ group_id: task_id, task_id, is_complete: true, rollouts });
      const isIn = reason === undefined && rollouts.length >= minRollouts;
      if (isIn === (last?.change === 'entered')) return undefined;
      const ends = rate && wilsonInterval(rate.passes, rate.n);
      return {
        task_id,
        change: isIn ? 'entered' : 'left',
        reason: isIn ? 'in_band' : (reason ?? 'too_few'),
        n: rate?.n ?? 0,
        pass_rate: rate?.rate ?? null,
        pass_rate_ci95: ends ? [round4(ends[0]), round4(ends[1])] : null,
        band: [band.lo, band.hi],
        cause,
      };
    },
  };
}

const asRow = ({ task, label, isCut }: Vote): Row => ({
  scenario_id: task,
  final_text: '',
  reward: label ?? null,
  ...(isCut && { finish_reason: 'length' }),
});
const round4 = (value: number): number => Math.round(value * 10_000) / 10_000;

/**
 * Tell when a task enters the band of pass rates that train, and when it leaves it, as its graded rollouts come. Once all
 * rollouts are in, the last change of each task is `entered` exactly where `bandFilter` keeps its group, whatever the order;
 * a task without a change is outside. A later telling of a rollout takes the place of the earlier one.
 * Memory: about 100 bytes for each rollout of at most `maxParked`.
 *
 * @rejects late - its task had `k` rollouts before, or was forgotten
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range, or `lo` is above `hi`
 * @source DAPO (arXiv:2503.14476); rlhfbook ch. 6, 7; the changelog is a house rule
 */
export const bandChanges = defineKeyed({
  name: 'band-changes',
  options,
  core: bandChangesCore,
  example: {
    options: { hi: 0.6 },
    in: [row('a', 't', 1), row('b', 't', 0), row('c', 'u', 1), row('d', 't', 1), row('e', 'u', 0)],
    out: [
      change('t', 'entered', { reason: 'in_band', n: 2, pass_rate: 0.5, pass_rate_ci95: [0.0945, 0.9055] }, 'b'),
      change('t', 'left', { reason: 'too_easy', n: 3, pass_rate: 2 / 3, pass_rate_ci95: [0.2077, 0.9385] }, 'd'),
      change('u', 'entered', { reason: 'in_band', n: 2, pass_rate: 0.5, pass_rate_ci95: [0.0945, 0.9055] }, 'e'),
    ],
  },
});

function row(rollout_id: string, task_id: string, reward: number): Row {
  return { rollout_id, task_id, final_text: 'Done.', reward };
}

function change(
  task_id: string,
  way: BandChange['change'],
  figures: Pick<BandChange, 'reason' | 'n' | 'pass_rate' | 'pass_rate_ci95'>,
  rollout: string,
): BandChange {
  return { task_id, change: way, ...figures, band: [0.2, 0.6], cause: JSON.stringify([rollout, '', '']) };
}
