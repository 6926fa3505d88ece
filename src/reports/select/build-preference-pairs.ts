import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions, type Rejection } from '../../core/operator.ts';
import { replyOf } from '../../rows/reply.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { foldText } from '../../text/fold.ts';
import { isEvalSourced } from './eval-sourced.ts';
import { firstTurn } from './first-turn.ts';
import { pairsReport } from './pairs-report.ts';
import type { PreferencePair } from './preference-pair.ts';
import { bucketsOf } from './round-robin.ts';

const options = z.strictObject({
  maxPairsPerPrompt: z.int().min(1).default(1).describe('Pairs made of one prompt at most.'),
  minMargin: z.number().gt(0).default(1).describe('Least difference of the two rewards.'),
  lengthMatch: z.boolean().default(true).describe('Pair a reply with the rejected one closest in length.'),
});
type Options = z.output<typeof options>;

interface Candidate<R> {
  readonly row: R;
  readonly score: number;
}

/**
 * Pair the rollouts of each prompt, better with worse, by reward. With `lengthMatch` the rejected reply closest in length is
 * taken, so that length is not what the pair teaches. No row is used twice; rows without a usable verdict never are.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 8, 11
 */
export function buildPreferencePairs<R extends JsonObject>(rows: readonly R[], given: z.input<typeof options> = {}) {
  const opts = parseOptions('buildPreferencePairs', options, given);
  const rejected: Rejection<R>[] = [];
  const reject = (row: R, reason: string): void => void rejected.push({ row, by: 'build-preference-pairs', reason });
  const usable: Candidate<R>[] = [];
  for (const row of inRowOrder(rows)) {
    const reason = unusable(row);
    if (reason === undefined) usable.push({ row, score: row['reward'] as number });
    else reject(row, reason);
  }
  const prompts = bucketsOf(usable, ({ row }) => foldText(String(row['prompt'] ?? '')));
  const pairs: PreferencePair<R>[] = [];
  let [prompts_with_contrast, identical_sides] = [0, 0];
  for (const candidates of prompts.values()) {
    const { made, hasContrast, identical, unused } = pairUp(candidates, opts);
    identical_sides += identical;
    if (hasContrast) prompts_with_contrast++;
    pairs.push(...made);
    for (const { row } of unused) reject(row, hasContrast ? 'not_paired' : 'no_contrast');
  }
  const eval_sourced = pairs.filter((pair) => isEvalSourced(pair.chosen) || isEvalSourced(pair.rejected)).length;
  const seen = { prompts_seen: prompts.size, prompts_with_contrast, identical_sides };
  const counts = { ...seen, min_margin: opts.minMargin, eval_sourced };
  return { pairs, rejected, report: pairsReport(pairs, counts) };
}

/** Why a row can be in no pair. A reward that is text, a boolean or outside 0 to 1 is no verdict to compare by. */
function unusable(row: JsonObject): string | undefined {
  const { reward, judge_status: status, prompt } = row;
  if (status !== undefined && status !== null && status !== 'ok') return 'unjudged';
  if (typeof reward !== 'number' || !(reward >= 0 && reward <= 1)) return 'unusable_reward';
  return foldText(String(prompt ?? '')) === '' ? 'no_prompt' : undefined;
}

function pairUp<R extends JsonObject>(candidates: readonly Candidate<R>[], opts: Options) {
  const ranked = candidates.toSorted((a, b) => b.score - a.score);
  const used = new Set<Candidate<R>>();
  const made: PreferencePair<R>[] = [];
  const same = new Set<Candidate<R>>();
  const isWorse = (chosen: Candidate<R>) => (other: Candidate<R>) => {
    if (used.has(other) || chosen.score - other.score < opts.minMargin - 1e-9) return false;
    if (sideOf(other.row) !== sideOf(chosen.row)) return true;
    same.add(other); // the judge scored one and the same reply twice: such a pair teaches nothing
    return false;
  };
  for (const chosen of ranked) {
    if (made.length >= opts.maxPairsPerPrompt) break;
    if (used.has(chosen)) continue;
    const worse = ranked.filter(isWorse(chosen));
    const rejected = opts.lengthMatch ? closest(chosen, worse) : worse[0];
    if (!rejected) continue;
    used.add(chosen);
    used.add(rejected);
    made.push(pairOf(chosen, rejected));
  }
  const [best, last] = [ranked[0], ranked.at(-1)];
  const hasContrast = best !== undefined && last !== undefined && best.score - last.score >= opts.minMargin - 1e-9;
  return { made, hasContrast, identical: same.size, unused: ranked.filter((one) => !used.has(one)) };
}

function closest<R extends JsonObject>(
  chosen: Candidate<R>,
  others: readonly Candidate<R>[],
): Candidate<R> | undefined {
  const gap = ({ row }: Candidate<R>) => Math.abs(replyOf(row).length - replyOf(chosen.row).length);
  return others.reduce<Candidate<R> | undefined>(
    (best, one) => (best && gap(best) <= gap(one) ? best : one),
    undefined,
  );
}

function pairOf<R extends JsonObject>(chosen: Candidate<R>, rejected: Candidate<R>): PreferencePair<R> {
  const [a, b] = [chosen.row, rejected.row];
  const [chosen_model, rejected_model] = [wordOf(a['model_version']), wordOf(b['model_version'])];
  return {
    prompt: String(a['prompt'] ?? ''),
    chosen: a,
    rejected: b,
    chosen_score: chosen.score,
    rejected_score: rejected.score,
    margin: Math.round((chosen.score - rejected.score) * 1e6) / 1e6,
    chosen_model,
    rejected_model,
    same_policy: chosen_model === null || rejected_model === null ? null : chosen_model === rejected_model,
    length_delta: replyOf(a).length - replyOf(b).length,
    first_turn_differs: firstTurn(a) !== firstTurn(b),
    chosen_reason: wordOf(a['reason']),
    rejected_reason: wordOf(b['reason']),
    rejected_failure_class: wordOf(b['failure_class']),
    lineage: { chosen: a['lineage'] ?? null, rejected: b['lineage'] ?? null },
  };
}

/** What a rollout did and said, folded: two rollouts with one side are the same. */
function sideOf(row: JsonObject): string {
  const { calls, said } = replyOf(row);
  return canonicalJson([calls.map(({ tool, arguments: given }) => [tool, given]), foldText(said)]);
}

const wordOf = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);
