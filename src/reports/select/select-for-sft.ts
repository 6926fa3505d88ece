import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions, type Rejection } from '../../core/operator.ts';
import { stableKey } from '../../core/stable-key.ts';
import { behaviorSignature } from '../../rows/behavior-signature.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { scalarReward } from '../../rows/scalar-reward.ts';
import { rowKey } from '../../rows/task-key.ts';
import { foldText } from '../../text/fold.ts';
import { quotesPrivileged } from '../guard/leak-report.ts';
import { round } from '../round.ts';
import type { Account } from './account.ts';
import { evalSourced } from './eval-sourced.ts';
import { isJunk } from './junk.ts';
import { bucketsOf, roundRobin } from './round-robin.ts';
import { type SftReport, sftReport } from './sft-report.ts';

/** Options of `selectForSft`. */
export const sftOptions = z.strictObject({
  target: z.int().min(0).default(1000).describe('Rows to select at most.'),
  select: z
    .enum(['top_per_prompt', 'random_per_prompt', 'top_k_overall', 'random_k_overall'])
    .default('top_per_prompt')
    .describe('The rule. The random ones are controls: what selection by reward gains is the difference to them.'),
  k: z.int().min(0).optional().describe('Rows of the overall rules; `target` if left out.'),
  minReward: z.number().default(1).describe('Lowest reward that is trained on.'),
  seed: z.int().default(0).describe('Seed of the random rules.'),
});
type Options = z.output<typeof sftOptions>;

/** A row that may be trained on, with what the rules read of it. */
interface Eligible<R> {
  readonly row: R;
  readonly reward: number;
  readonly prompt: string;
  readonly signature: string;
}

/**
 * Select rows for supervised training by rejection sampling: the best completion of each prompt, every behaviour once
 * before any twice. Rows under the least reward, junk and replies that quote their privileged block are never taken. The
 * order of the input changes nothing.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 9
 */
export function selectForSft<R extends JsonObject>(
  rows: readonly R[],
  given: z.input<typeof sftOptions> = {},
): Account<R, SftReport> {
  const opts = parseOptions('selectForSft', sftOptions, given);
  const rejected: Rejection<R>[] = [];
  const reject = (row: R, reason: string): void => void rejected.push({ row, by: 'select-for-sft', reason });
  const eligible: Eligible<R>[] = [];
  for (const row of inRowOrder(rows)) {
    const reward = scalarReward(row);
    if (quotesPrivileged(row)) reject(row, 'privileged_leak');
    else if (reward === undefined || reward < opts.minReward) reject(row, 'not_pass');
    else if (isJunk(row)) reject(row, 'incomplete_junk');
    else eligible.push({ row, reward, prompt: promptOf(row), signature: behaviorSignature(row) });
  }
  const { chosen, offered } = choose(eligible, opts);
  const taken = new Set(chosen);
  const inOffer = new Set(offered);
  for (const one of eligible) if (!taken.has(one)) reject(one.row, inOffer.has(one) ? 'over_target' : 'not_best');
  const meanOf = (list: readonly Eligible<R>[]) =>
    list.length === 0 ? null : round(list.reduce((sum, { reward }) => sum + reward, 0) / list.length);
  const kept = chosen.map(({ row }) => row);
  const report = sftReport({
    n: rows.length,
    opts,
    reasons: rejected.map(({ reason }) => reason),
    n_eligible: offered.length,
    n_selected: kept.length,
    unique_behaviors: new Set(offered.map(({ signature }) => signature)).size,
    behaviors_covered: new Set(chosen.map(({ signature }) => signature)).size,
    reward_mean_eligible: meanOf(offered),
    reward_mean_selected: meanOf(chosen),
    eval_sourced: evalSourced(kept).length,
    completions: [...bucketsOf(rows, promptOf).values()].map((list) => list.length),
  });
  return { kept, rejected, report };
}

/** What the rule takes, in order, and what it took it from: the pick of each prompt, or all eligible rows. */
function choose<R extends JsonObject>(eligible: readonly Eligible<R>[], { select, target, k = target, seed }: Options) {
  const byChance = ({ row }: Eligible<R>) => stableKey(rowKey(row), `${seed}:${select}`);
  const ranked =
    select === 'top_per_prompt' || select === 'top_k_overall'
      ? sortBy(eligible, (one) => stableKey(one.prompt, one.signature)).toSorted((a, b) => b.reward - a.reward)
      : sortBy(eligible, byChance);
  if (select === 'top_k_overall' || select === 'random_k_overall')
    return { chosen: ranked.slice(0, k), offered: eligible };
  const best = new Map<string, Eligible<R>>();
  for (const one of ranked) if (!best.has(one.prompt)) best.set(one.prompt, one);
  const offered = [...best.values()];
  const ordered = sortBy(offered, (one) => stableKey(one.prompt, one.signature));
  const turns = roundRobin(bucketsOf(ordered, ({ signature }) => signature));
  return { chosen: turns.slice(0, target), offered };
}

function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}

const promptOf = (row: JsonObject): string => foldText(String(row['prompt'] ?? ''));
