import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { type Account, split } from './account.ts';
import { type DropReason, gateOptions, gateReason, isVerifiedZero, reasonToDrop } from './drop-reason.ts';

const options = z.strictObject(gateOptions);

export interface FilterReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_dropped: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Confirmed failures that the gates would have dropped. */
  readonly kept_verified_zero: number;
}

/**
 * Keep the rows that can be trained on; `dropReason` says what goes. Rows stay in their order.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 7
 */
export function filterRlRows<R extends JsonObject>(
  rows: readonly R[],
  given: z.input<typeof options> = {},
): Account<R, FilterReport> {
  return gateRows(rows, { ...parseOptions('filterRlRows', options, given), textGates: true });
}

/** The rule, with its options read. */
export function gateRows<R extends JsonObject>(
  rows: readonly R[],
  opts: { readonly hasTools: boolean; readonly textGates: boolean },
): Account<R, FilterReport> {
  const { kept, rejected } = split(rows, 'filter-rl-rows', (row) => reasonToDrop(row, opts));
  const dropped = { do_nothing: 0, incomplete_junk: 0, unusable_label: 0 };
  for (const { reason } of rejected) dropped[reason as DropReason]++;
  const kept_verified_zero = kept.filter((row) => isVerifiedZero(row) && gateReason(row, opts) !== undefined).length;
  const report = { n: rows.length, n_kept: kept.length, n_dropped: rejected.length, dropped, kept_verified_zero };
  return { kept, rejected, report };
}
