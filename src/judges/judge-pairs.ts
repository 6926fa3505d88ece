import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { asWarnings, type Remark } from '../core/remarks.ts';
import type { Row } from '../rows/row.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import { broken, timedOut } from './call-judge.ts';
import type { JudgeTraits } from './judge.ts';
import { mapInOrder } from './map-in-order.ts';
import { shareOf } from './rounding.ts';
import { rowCopy } from './row-copy.ts';
import { findJson } from './verifiers/extract-json.ts';

/** Which of two replies is better: `{winner: 'A' | 'B' | 'tie', reason}`, or that as JSON text. */
export type PairJudge = ((a: Row, b: Row, signal: AbortSignal) => unknown) & JudgeTraits;
/** One judge's answer on two replies; null when it cannot be read. */
export interface Preference {
  readonly winner: 'A' | 'B' | 'tie' | null;
  readonly reason: string;
}

const options = z.strictObject({
  swap: z
    .boolean()
    .default(true)
    .describe('Ask in both orders: a judge that prefers a place, not a reply, then shows.'),
  concurrency: z.int().min(1).default(8).describe('Calls at the same time.'),
  timeoutMs: z.int().min(1).default(120_000).describe('A call that takes longer has no answer, in ms.'),
  examples: z.int().min(0).default(10).describe('Most disagreements to list.'),
});
const maxFlips = 0.2;
const winners: Readonly<Record<string, 'A' | 'B' | 'tie'>> = { a: 'A', b: 'B', tie: 'tie' };

/** Read the answer of a judge of pairs: only A, B and tie count, in any case; `both` and `A or B` are no answer. */
export function parsePairwise(text: string): Preference {
  const read = findJson(text);
  return read.found && isObject(read.value) ? preferenceOf(read.value) : { winner: null, reason: '' };
}

function preferenceOf(answer: JsonObject): Preference {
  const word = typeof answer['winner'] === 'string' ? answer['winner'].trim().toLowerCase() : '';
  const reason = typeof answer['reason'] === 'string' ? answer['reason'] : '';
  return { winner: Object.hasOwn(winners, word) ? (winners[word] ?? null) : null, reason };
}

interface Pair extends JsonObject {
  readonly chosen: Row;
  readonly rejected: Row;
}

/**
 * Ask a judge which reply of each pair is better, in both orders. Orders that disagree are a tie and a flip; one order
 * without an answer leaves the other's. Pairs are not changed: the new ones carry `pairwise` and `tie`.
 *
 * @throws TM_OPTIONS - something that is no pair of rows, or an unknown option
 * @source rlhfbook ch. 5 and 11; Zheng et al. 2023, arXiv 2306.05685 (position bias)
 */
export async function judgePairs(pairs: readonly unknown[], judge: PairJudge, config: z.input<typeof options> = {}) {
  const { swap, concurrency, timeoutMs, examples } = parseOptions('judgePairs', options, config);
  const given = pairs.map(asPair);
  const name = judge.name || 'pair_judge';
  let failedCalls = 0;
  const ask = async (a: Row, b: Row): Promise<Preference> => {
    const answer = await preference(judge, a, b, timeoutMs);
    if (answer.winner === null) failedCalls++;
    return answer;
  };
  const settled = await mapInOrder(given, concurrency, async (pair) => {
    const { chosen, rejected } = pair;
    const first = await ask(chosen, rejected);
    return settle(pair, first, swap ? await ask(rejected, chosen) : undefined, name);
  });
  return { pairs: settled.map(({ pair }) => pair), report: reportOf(settled, { swap, examples, name, failedCalls }) };
}

function asPair(pair: unknown): Pair {
  if (isObject(pair) && isObject(pair['chosen']) && isObject(pair['rejected'])) return pair as Pair;
  throw new TracemillError('TM_OPTIONS', 'judgePairs: a pair has a chosen and a rejected row', {
    reason: 'invalid_input',
  });
}

async function preference(judge: PairJudge, a: Row, b: Row, timeoutMs: number): Promise<Preference> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Preference>((resolve) => {
    timer = setTimeout(() => {
      resolve({ winner: null, reason: timedOut(timeoutMs).judge_status });
      stop.abort();
    }, timeoutMs);
  });
  const answer = async (): Promise<Preference> => {
    const raw = await judge(
      rowCopy(a, judge.usePrivileged === true),
      rowCopy(b, judge.usePrivileged === true),
      stop.signal,
    );
    if (typeof raw === 'string') return parsePairwise(raw);
    return isObject(raw) ? preferenceOf(raw) : { winner: null, reason: '' };
  };
  const failed = (error: unknown): Preference => ({ winner: null, reason: String(broken(error).judge_meta['error']) });
  try {
    return await Promise.race([answer().catch(failed), late]);
  } finally {
    clearTimeout(timer);
  }
}

type Winner = 'chosen' | 'rejected' | 'tie' | null;
interface Settled {
  readonly pair: JsonObject;
  readonly source: Pair;
  readonly winner: Winner;
  readonly isConsistent: boolean | null;
  /** Both orders preferred the first place. */
  readonly isFirstTwice: boolean;
  readonly reasons: readonly string[];
}

function settle(source: Pair, first: Preference, second: Preference | undefined, name: string): Settled {
  const inFirst = meant(first.winner, 'chosen', 'rejected');
  const inSecond = second ? meant(second.winner, 'rejected', 'chosen') : null;
  const isBoth = inFirst !== null && inSecond !== null;
  const winner = isBoth && inFirst !== inSecond ? 'tie' : (inFirst ?? inSecond);
  const isConsistent = isBoth ? inFirst === inSecond : null;
  const decided = [first, second].filter((one) => one !== undefined && one.winner !== null && one.reason !== '');
  const reasons = decided.map((one) => one?.reason ?? '');
  const pairwise = { winner, position_consistent: isConsistent, swapped: second !== undefined, reasons, judge: name };
  const pair = { ...source, pairwise, tie: winner === 'tie' };
  return { pair, source, winner, isConsistent, isFirstTwice: first.winner === 'A' && second?.winner === 'A', reasons };
}

const meant = (winner: Preference['winner'], a: Winner, b: Winner): Winner =>
  winner === 'A' ? a : winner === 'B' ? b : winner;

interface Run {
  readonly swap: boolean;
  readonly examples: number;
  readonly name: string;
  readonly failedCalls: number;
}

function reportOf(settled: readonly Settled[], { swap, examples, name, failedCalls }: Run) {
  const judged = settled.filter(({ winner }) => winner !== null);
  const both = settled.filter(({ isConsistent }) => isConsistent !== null);
  const flips = both.filter(({ isConsistent }) => isConsistent === false);
  const against = judged.filter(({ winner }) => winner === 'rejected');
  const count = (winner: Winner) => judged.filter((one) => one.winner === winner).length;
  return {
    n: settled.length,
    n_judged: judged.length,
    failed: settled.length - judged.length,
    failed_calls: failedCalls,
    judge: name,
    swap,
    position_flip_rate: swap ? shareOf(flips.length, both.length) : null,
    position_flip_ci95: swap ? wilsonInterval(flips.length, both.length) : null,
    first_position_rate: shareOf(flips.filter(({ isFirstTwice }) => isFirstTwice).length, flips.length),
    tie_rate: shareOf(count('tie'), judged.length),
    agrees_with_scores: shareOf(count('chosen'), judged.length),
    prefers_rejected: against.length,
    disagreements: against.slice(0, examples).map(({ source, reasons }) => ({
      prompt: source['prompt'] ?? source.chosen.prompt ?? '',
      chosen_score: source['chosen_score'] ?? null,
      rejected_score: source['rejected_score'] ?? null,
      reasons,
    })),
    ...asWarnings(remarks(flips.length, both.length, against.length, judged.length, failedCalls, settled.length)),
  };
}

function remarks(
  flips: number,
  both: number,
  against: number,
  judged: number,
  failed: number,
  pairs: number,
): Remark[] {
  const found: Remark[] = [];
  if (both > 0 && flips / both >= maxFlips)
    found.push({ code: 'position_bias', text: `${flips} of ${both} answers change with the order` });
  if (judged > 0 && against / judged >= maxFlips)
    found.push({ code: 'prefers_rejected', text: `prefers the rejected reply of ${against} of ${judged} pairs` });
  if (failed > pairs * maxFlips) found.push({ code: 'judge_errors', text: `${failed} calls gave no answer` });
  return found;
}
