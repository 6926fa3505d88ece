import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { taskKey } from '../../rows/task-key.ts';
import { groupSignal } from '../group-signal.ts';
import { type Account, split } from './account.ts';
import { taskRates } from './task-rates.ts';

const options = z.strictObject({
  minK: z.int().min(0).default(2).describe('Graded rollouts from which a group counts; never fewer than 2.'),
});

export interface UnanimousReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_dropped: number;
  readonly n_groups_dropped: number;
  /** Of the rows that are kept. */
  readonly signal: ReturnType<typeof groupSignal>;
}

/**
 * Drop every row of a task whose graded rollouts all agree: a group without contrast gives no gradient. Smaller groups,
 * singles first of all, are left alone.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source DAPO (arXiv:2503.14476), dynamic sampling; rlhfbook ch. 6
 */
export function trimUnanimousGroups<R extends JsonObject>(
  rows: readonly R[],
  given: z.input<typeof options> = {},
): Account<R, UnanimousReport> {
  const { minK } = parseOptions('trimUnanimousGroups', options, given);
  const least = Math.max(2, minK);
  const unanimous = new Set(
    [...taskRates(rows).values()]
      .filter(({ n, rate }) => n >= least && (rate === 0 || rate === 1))
      .map(({ task }) => task),
  );
  const { kept, rejected } = split(rows, 'trim-unanimous-groups', (row) =>
    unanimous.has(taskKey(row)) ? 'unanimous' : undefined,
  );
  const counts = { n: rows.length, n_kept: kept.length, n_dropped: rejected.length };
  return { kept, rejected, report: { ...counts, n_groups_dropped: unanimous.size, signal: groupSignal(kept) } };
}
