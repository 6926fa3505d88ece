import type { JsonObject } from '../../core/json-object.ts';
import { behaviorSignature } from '../../rows/behavior-signature.ts';
import { groupLabel } from '../../rows/label.ts';
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
  const firsts = firstOfKind<R>();
  const kept = new Set<R>();
  const repeats = new Set<R>();
  const asks = new Set<string>();
  let conflicting_rewards = 0;
  for (const row of inRowOrder(rows)) {
    const before = firsts(row);
    if (before === undefined) {
      kept.add(row);
      continue;
    }
    repeats.add(row);
    asks.add(askOf(row));
    const [label, other] = [groupLabel(row), groupLabel(before)];
    if (label !== undefined && other !== undefined && label !== other) conflicting_rewards++;
  }
  const { kept: stay, rejected } = dropRepeats(rows, repeats, kept);
  const report = {
    n: rows.length,
    n_kept: stay.length,
    n_dropped: rejected.length,
    groups_affected: asks.size,
    duplicate_rate: rows.length === 0 ? 0 : rejected.length / rows.length,
    conflicting_rewards,
  };
  return { kept: stay, rejected, report };
}

const askOf = (row: JsonObject): string => String(row['prompt'] ?? '');

/** Rows that said one thing on one ask: the first of them, and the first of each behaviour once there are two rows. */
interface Said<R> {
  readonly first: R;
  kinds: Map<string, R> | undefined;
}

/**
 * Give the row that a row repeats, undefined for the first of its kind. What a row did is read only where another said the
 * same on the same ask: few do.
 */
function firstOfKind<R extends JsonObject>(): (row: R) => R | undefined {
  const asks = new Map<string, Map<string, Said<R>>>();
  return (row) => {
    const ask = askOf(row);
    const replies = asks.get(ask) ?? new Map<string, Said<R>>();
    asks.set(ask, replies);
    const text = foldText(replyOf(row).finalText);
    const said = replies.get(text);
    if (!said) {
      replies.set(text, { first: row, kinds: undefined });
      return undefined;
    }
    said.kinds ??= new Map([[behaviorSignature(said.first), said.first]]);
    const kind = behaviorSignature(row);
    const before = said.kinds.get(kind);
    if (!before) said.kinds.set(kind, row);
    return before;
  };
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
