import { type Fold, foldRows, inOrder } from '../../core/fold.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { rowKey, taskKey } from '../../rows/task-key.ts';
import { addTo, type ExactSum, emptySum, totalOf } from '../../stats/exact-sum.ts';
import { tInterval } from '../../stats/t-interval.ts';
import type { Interval } from '../../stats/wilson.ts';
import { round } from '../round.ts';
import { sampledOf } from './sampled.ts';

/** How far a policy is from a reference, per token. 6 digits. */
export interface MeanKl {
  /** The sampled k1 estimate, which may be negative. */
  readonly mean_kl: number | null;
  /** The k3 estimate, never negative; null unless both sides carry the log-probability of every token. */
  readonly mean_kl_k3: number | null;
  /** Student t over tasks; null under 3 tasks. */
  readonly ci95: Interval | null;
  readonly per_task: Readonly<Record<string, number>>;
  readonly n_rows: number;
  readonly n_skipped: number;
  /** Rows skipped because the reference counted other tokens than the policy. */
  readonly n_token_mismatch: number;
  readonly n_tokens: number;
}

interface Reference {
  readonly logprob: unknown;
  readonly tokens: unknown;
  readonly each: unknown;
}

/**
 * Estimate the KL divergence of a policy from a reference on its own samples: the sum of log-probability differences over
 * the sum of tokens, for all rows and for each task. Rows without two finite sums over the same tokens are skipped and counted.
 *
 * @param ref - the row field with the reference's log-probability, or its rows, matched by row key (the first wins)
 * @source rlhfbook ch. 15; Schulman 2020 (k1 and k3)
 */
export function meanKl(rows: Iterable<unknown>, ref: string | Iterable<unknown> = 'ref_logprob'): MeanKl {
  return foldRows(meanKlFold(ref), rows);
}

interface TaskKl {
  readonly sum: ExactSum;
  tokens: number;
}
/** What is held of the rows so far: two sums a task. */
export interface MeanKlState {
  readonly tasks: Map<string, TaskKl>;
  readonly k3: ExactSum;
  k3Tokens: number;
  used: number;
  skipped: number;
  mismatched: number;
}

/** `meanKl` a row at a time and mergeable. Memory: three numbers a task, and the reference where it is a list of rows. */
export function meanKlFold(ref: string | Iterable<unknown> = 'ref_logprob'): Fold<unknown, MeanKlState, MeanKl> {
  const referenceOf = referenceReader(ref);
  return {
    start: () => ({ tasks: new Map(), k3: emptySum(), k3Tokens: 0, used: 0, skipped: 0, mismatched: 0 }),
    add(state, row) {
      if (!isObject(row)) return;
      const found = sampledOf(row);
      const { logprob, tokens, each } = referenceOf(row);
      const isMismatch = found !== undefined && typeof tokens === 'number' && tokens !== found.tokens;
      if (isMismatch) state.mismatched++;
      if (!found || typeof logprob !== 'number' || !Number.isFinite(logprob) || isMismatch) {
        state.skipped++;
        return;
      }
      state.used++;
      const task = taskIn(state, taskKey(row));
      addTo(task.sum, found.logprob - logprob);
      task.tokens += found.tokens;
      const terms = k3Terms(row['token_logprobs'], each);
      for (const term of terms) addTo(state.k3, term);
      state.k3Tokens += terms.length;
    },
    merge(into, from) {
      for (const [key, { sum, tokens }] of from.tasks) {
        const task = taskIn(into, key);
        mergeSum(task.sum, sum);
        task.tokens += tokens;
      }
      mergeSum(into.k3, from.k3);
      into.k3Tokens += from.k3Tokens;
      into.used += from.used;
      into.skipped += from.skipped;
      into.mismatched += from.mismatched;
    },
    end: klOf,
  };
}

function taskIn({ tasks }: MeanKlState, key: string): TaskKl {
  const known = tasks.get(key) ?? { sum: emptySum(), tokens: 0 };
  tasks.set(key, known);
  return known;
}

const mergeSum = (into: ExactSum, { high, low }: ExactSum): void => {
  addTo(into, high);
  addTo(into, low);
};

function klOf({ tasks, k3, k3Tokens, used, skipped, mismatched }: MeanKlState): MeanKl {
  const ordered = inOrder(tasks).map(([task, { sum, tokens }]) => [task, { sum: totalOf(sum), tokens }] as const);
  const total = ordered.reduce((sum, [, task]) => ({ sum: sum.sum + task.sum, tokens: sum.tokens + task.tokens }), {
    sum: 0,
    tokens: 0,
  });
  const perTask = ordered.map(([, { sum, tokens }]) => sum / tokens);
  const interval = perTask.length < 3 ? null : tInterval(perTask);
  return {
    mean_kl: total.tokens === 0 ? null : round(total.sum / total.tokens, 6),
    mean_kl_k3: k3Tokens === 0 || k3Tokens !== total.tokens ? null : round(totalOf(k3) / k3Tokens, 6),
    ci95: interval && [round(interval[0], 6), round(interval[1], 6)],
    per_task: Object.fromEntries(ordered.map(([task, { sum, tokens }]) => [task, round(sum / tokens, 6)])),
    n_rows: used,
    n_skipped: skipped,
    n_token_mismatch: mismatched,
    n_tokens: total.tokens,
  };
}

function referenceReader(ref: string | Iterable<unknown>): (row: JsonObject) => Reference {
  if (typeof ref === 'string')
    return (row) => ({ logprob: row[ref], tokens: row['ref_n_tokens'], each: row['ref_token_logprobs'] });
  const known = new Map<string, Reference>();
  for (const row of ref) {
    if (!isObject(row)) continue;
    const key = rowKey(row);
    if (!known.has(key))
      known.set(key, { logprob: row['logprob'], tokens: row['n_tokens'], each: row['token_logprobs'] });
  }
  return (row) => known.get(rowKey(row)) ?? { logprob: undefined, tokens: undefined, each: undefined };
}

/** e^-d - 1 + d of each token; nothing unless both lists are numbers of one length. */
function k3Terms(own: unknown, other: unknown): number[] {
  if (!Array.isArray(own) || !Array.isArray(other) || own.length !== other.length) return [];
  const terms = own.map((logprob: unknown, at) => {
    const d = Number(logprob) - Number(other[at]);
    return Math.exp(-d) - 1 + d;
  });
  return terms.every(Number.isFinite) ? terms : [];
}
