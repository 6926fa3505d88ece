import type { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions, type Rejection } from '../../core/operator.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { taskKey } from '../../rows/task-key.ts';
import { dedupeGroups } from '../guard/dedupe-groups.ts';
import { quotesPrivileged } from '../guard/leak-report.ts';
import type { Account } from './account.ts';
import { checkBand } from './band.ts';
import { carryCalibration } from './calibrate.ts';
import { gateRows } from './filter-rl-rows.ts';
import { underPolicy } from './mark-truncated.ts';
import { chooseTasks } from './next-round.ts';
import { orderTasks } from './order-tasks.ts';
import { type Pruned, pruneTasks } from './prune-tasks.ts';
import { rlOptions as options, type RlOptions } from './rl-options.ts';
import { type RlReport, rlReport } from './rl-report.ts';
import { textGatesFor } from './text-gates.ts';

/**
 * Select rollouts for reinforcement learning: whole tasks whose rollouts disagree and whose pass rate lies in the band.
 * Junk, leaks, repeats and cut-off rollouts go first; each selected row carries the pass rate its task had before that.
 * The order of the input changes nothing, and every row that is not kept has a reason.
 *
 * Cost: 10,000 rows take about a third of a second, and the hack scan of those selected a part of it.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, or `lo` is above `hi`
 * @source DAPO (arXiv:2503.14476); rlhfbook ch. 6, 7
 */
export function selectForRl<R extends JsonObject>(
  rows: readonly R[],
  given: z.input<typeof options> = {},
): Account<R, RlReport> & { readonly rates: Pruned<R>['rates'] } {
  const parsed = parseOptions('selectForRl', options, given);
  const opts: RlOptions = {
    ...parsed,
    truncated: parsed.truncated ?? (parsed.dropTruncated === false ? 'keep' : 'drop'),
  };
  checkBand('selectForRl', opts);
  const account = ledger<R>();

  const prior = opts.prior ? chooseTasks(opts.prior, opts) : null;
  const offered = account.keep(inRowOrder(rows), (row) => priorReason(row, prior, opts));
  const { rows: arrived, cut, isDropped, hasVote } = underPolicy(offered, opts.truncated);
  arrived.forEach((copy, at) => {
    account.stands(offered[at] as R, copy);
  });

  const gates = textGatesFor(arrived, opts.textGates);
  const safe = account.keep(arrived, (row) => (quotesPrivileged(row) ? 'privileged_leak' : undefined));
  const gated = account.take(gateRows(safe, { hasTools: opts.hasTools, textGates: gates.applied }));
  const distinct = opts.dedupe && gates.applied ? dedupeGroups(gated) : undefined;
  const unique = distinct ? account.take(distinct) : gated;
  const whole = account.keep(unique, (row) => (isDropped(row) ? 'truncated' : undefined));

  const rated = gated.filter((row) => !isDropped(row));
  const pruned = pruneTasks({ gated, rated, rows: whole, hasVote, band: opts, enforceBand: opts.enforceBand });
  account.keep(whole, (row) => pruned.dropped.get(taskKey(row)));
  const { tasks, fault_kinds } = orderTasks(pruned.groups, opts, opts.order);
  const taken = upTo(tasks, opts.target);
  const chosen = new Set(taken.map(({ task }) => task));
  account.keep(
    pruned.groups.flatMap((group) => group.rows),
    (row) => (chosen.has(taskKey(row)) ? undefined : 'over_target'),
  );

  const stamped = carryCalibration(
    arrived,
    taken.flatMap((group) => group.rows),
  );
  const kept = stamped.rows as readonly R[]; // the same rows, with a stamp
  const report = rlReport({
    opts,
    arrived,
    gated,
    pruned,
    cut,
    kept,
    scanned: rated.filter((row) => chosen.has(taskKey(row))),
    fault_kinds,
    gates,
    prior: prior && { ...prior, rows_dropped: rows.length - offered.length },
    duplicates: distinct?.report,
    calibration: stamped.report,
    rejected: account.rejected,
  });
  return { kept, rejected: account.rejected, report, rates: pruned.rates };
}

type Choice = ReturnType<typeof chooseTasks>;

function priorReason(row: JsonObject, prior: Choice | null, { lo, hi }: RlOptions): string | undefined {
  const task = taskKey(row);
  const rate = prior && Object.hasOwn(prior.pass_rates, task) ? prior.pass_rates[task] : undefined;
  if (rate === undefined) return undefined;
  if (rate > hi) return 'prior_solved';
  return rate < lo ? 'prior_unsolved' : undefined;
}

/** Tasks until there are enough rows; the last one may overshoot. */
function upTo<G extends { readonly rows: readonly unknown[] }>(tasks: readonly G[], target: number): readonly G[] {
  let rows = 0;
  return tasks.filter((task) => {
    if (rows >= target) return false;
    rows += task.rows.length;
    return true;
  });
}

/** Why each row went, under the row as the caller gave it. */
function ledger<R extends JsonObject>() {
  const rejected: Rejection<R>[] = [];
  const givenAs = new Map<R, R>();
  const reject = (row: R, reason: string): void =>
    void rejected.push({ row: givenAs.get(row) ?? row, by: 'select-for-rl', reason });
  return {
    rejected,
    /** A marked copy stands for the row that was given. */
    stands(given: R, copy: R): void {
      if (copy !== given) givenAs.set(copy, given);
    },
    keep(rows: readonly R[], reasonOf: (row: R) => string | undefined): readonly R[] {
      return rows.filter((row) => {
        const reason = reasonOf(row);
        if (reason !== undefined) reject(row, reason);
        return reason === undefined;
      });
    },
    take(account: Account<R, unknown>): readonly R[] {
      for (const { row, reason } of account.rejected) reject(row, reason);
      return account.kept;
    },
  };
}
