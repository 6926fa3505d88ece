import type { JsonObject } from '../../core/json-object.ts';
import { behaviorSignature } from '../../rows/behavior-signature.ts';
import { groupLabel, type Label } from '../../rows/label.ts';
import { replyOf } from '../../rows/reply.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { foldText } from '../../text/fold.ts';
import { type Account, split } from '../select/account.ts';

export interface DuplicatesReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_dropped: number;
  /** Asks that lost at least one row. */
  readonly groups_affected: number;
  readonly duplicate_rate: number;
  /** Repeats whose label differs from that of the row that stays: the judge said both of one trajectory. */
  readonly conflicting_rewards: number;
}

/**
 * Keep the first of rows that did and said the same on one ask: same prompt, same behaviour, same folded reply. First means
 * first by row id, so no order of the input changes what stays.
 *
 * @source rlhfbook ch. 9, 12: repeats narrow synthetic data
 */
export function dedupeGroups<R extends JsonObject>(rows: readonly R[]): Account<R, DuplicatesReport> {
  const first = new Map<string, { readonly row: R; readonly label: Label | undefined }>();
  const repeats = new Set<R>();
  const asks = new Set<string>();
  let conflicting_rewards = 0;
  for (const row of inRowOrder(rows)) {
    const ask = String(row['prompt'] ?? '');
    const key = JSON.stringify([ask, behaviorSignature(row), foldText(replyOf(row).finalText)]);
    const label = groupLabel(row);
    const before = first.get(key);
    if (!before) {
      first.set(key, { row, label });
      continue;
    }
    repeats.add(row);
    asks.add(ask);
    if (label !== undefined && before.label !== undefined && label !== before.label) conflicting_rewards++;
  }
  const { kept, rejected } = dropRepeats(rows, repeats, new Set([...first.values()].map(({ row }) => row)));
  const report = {
    n: rows.length,
    n_kept: kept.length,
    n_dropped: rejected.length,
    groups_affected: asks.size,
    duplicate_rate: rows.length === 0 ? 0 : rejected.length / rows.length,
    conflicting_rewards,
  };
  return { kept, rejected, report };
}

/** One object that stands in the input twice is both the row that stays and its own repeat: only its first place stays. */
function dropRepeats<R>(rows: readonly R[], repeats: ReadonlySet<R>, firsts: ReadonlySet<R>) {
  const taken = new Set<R>();
  return split(rows, 'dedupe-groups', (row) => {
    if (!repeats.has(row)) return undefined;
    if (!firsts.has(row) || taken.has(row)) return 'duplicate';
    taken.add(row);
    return undefined;
  });
}
