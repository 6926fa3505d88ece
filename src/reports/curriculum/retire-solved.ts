import { z } from 'zod';
import { type Fold, foldRows } from '../../core/fold.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { taskKey } from '../../rows/task-key.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { type Account, split } from '../select/account.ts';
import { rateOf, type TaskRates, taskRatesFold } from './curriculum.ts';

const options = z.strictObject({
  solved: z.number().min(0).max(1).default(0.8).describe('Tasks that pass more often than this are retired.'),
  minRollouts: z.int().min(1).default(2).describe('Judged rollouts under which a task is kept.'),
  sure: z
    .boolean()
    .default(false)
    .describe('Retire only when the lower end of the 95 % interval of the pass rate is above `solved`.'),
});

/** What was retired. */
export interface RetireReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_dropped: number;
  readonly retired: readonly string[];
}

/**
 * Drop the rows of tasks that are solved: nothing is left to learn from them.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 7
 */
export function retireSolved<R extends JsonObject>(
  rows: readonly R[],
  config: z.input<typeof options> = {},
): Account<R, RetireReport> {
  const retired = new Set(foldRows(solvedTasksFold(config), rows));
  const { kept, rejected } = split(rows, 'retire-solved', (row) => (retired.has(taskKey(row)) ? 'solved' : undefined));
  return {
    kept,
    rejected,
    report: { n: rows.length, n_kept: kept.length, n_dropped: rejected.length, retired: [...retired] },
  };
}

/** The tasks that `retireSolved` retires, a row at a time and mergeable, sorted. Memory: two numbers a task. */
export function solvedTasksFold(config: z.input<typeof options> = {}): Fold<unknown, TaskRates, readonly string[]> {
  const { solved, minRollouts, sure } = parseOptions('retireSolved', options, config);
  const isSolved = ({ n, c }: { readonly n: number; readonly c: number }) =>
    n >= minRollouts && (sure ? (wilsonInterval(c, n)?.[0] ?? 0) : rateOf({ n, c })) > solved;
  return {
    ...taskRatesFold,
    end: (rates) =>
      [...rates]
        .filter(([, rate]) => isSolved(rate))
        .map(([task]) => task)
        .sort(),
  };
}
