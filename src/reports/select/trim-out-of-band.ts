import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { taskKey } from '../../rows/task-key.ts';
import { type Account, split } from './account.ts';
import { bandOptions, checkBand, outOfBand } from './band.ts';
import { carriedRate, taskRates } from './task-rates.ts';

const options = z.strictObject({
  ...bandOptions,
  minK: z.int().min(0).default(2).describe('Graded rollouts from which a rate is believed; never fewer than 2.'),
});

export interface OutOfBandReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_dropped: number;
  readonly n_groups_dropped: number;
  readonly too_easy: number;
  readonly too_hard: number;
  readonly band: readonly [lo: number, hi: number];
  /** Tasks whose rate was carried by a row rather than counted. */
  readonly from_rates: number;
}

/**
 * Drop the rows of tasks whose pass rate lies outside the band, both ends inclusive. Unanimous groups and singles are left
 * alone. A task without graded rollouts counts by the `pass_rate` (and `n`) that a row of it carries.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, or `lo` is above `hi`
 * @source rlhfbook ch. 7
 */
export function trimOutOfBand<R extends JsonObject>(
  rows: readonly R[],
  given: z.input<typeof options> = {},
): Account<R, OutOfBandReport> {
  const { minK, ...band } = parseOptions('trimOutOfBand', options, given);
  checkBand('trimOutOfBand', band);
  const least = Math.max(2, minK);
  const counted = taskRates(rows);
  const sides = new Map<string, 'too_easy' | 'too_hard'>();
  const judge = (task: string, rate: number, n: number): void => {
    const side = n >= least && rate > 0 && rate < 1 ? outOfBand(rate, band) : undefined;
    if (side) sides.set(task, side);
  };
  for (const { task, rate, n } of counted.values()) judge(task, rate, n);
  const carried = new Set<string>();
  for (const row of rows) {
    const task = taskKey(row);
    const known = counted.has(task) || carried.has(task) ? undefined : carriedRate(row);
    if (!known) continue;
    carried.add(task);
    judge(task, known.rate, known.n);
  }
  const { kept, rejected } = split(rows, 'trim-out-of-band', (row) => sides.get(taskKey(row)));
  const count = (side: string) => [...sides.values()].filter((one) => one === side).length;
  const report = {
    n: rows.length,
    n_kept: kept.length,
    n_dropped: rejected.length,
    n_groups_dropped: sides.size,
    too_easy: count('too_easy'),
    too_hard: count('too_hard'),
    band: [band.lo, band.hi] as const,
    from_rates: carried.size,
  };
  return { kept, rejected, report };
}
