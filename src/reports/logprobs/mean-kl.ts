import { inOrder } from '../../core/fold.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { rowKey, taskKey } from '../../rows/task-key.ts';
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
  const referenceOf = referenceReader(ref);
  const tasks = new Map<string, { sum: number; tokens: number }>();
  let [used, skipped, mismatched, k3, k3Tokens] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    const found = sampledOf(row);
    const { logprob, tokens, each } = referenceOf(row);
    const isMismatch = found !== undefined && typeof tokens === 'number' && tokens !== found.tokens;
    if (isMismatch) mismatched++;
    if (!found || typeof logprob !== 'number' || !Number.isFinite(logprob) || isMismatch) {
      skipped++;
      continue;
    }
    used++;
    const key = taskKey(row);
    const task = tasks.get(key) ?? { sum: 0, tokens: 0 };
    tasks.set(key, { sum: task.sum + found.logprob - logprob, tokens: task.tokens + found.tokens });
    const terms = k3Terms(row['token_logprobs'], each);
    k3 += terms.reduce((sum, term) => sum + term, 0);
    k3Tokens += terms.length;
  }
  const ordered = inOrder(tasks);
  const total = ordered.reduce((sum, [, task]) => ({ sum: sum.sum + task.sum, tokens: sum.tokens + task.tokens }), {
    sum: 0,
    tokens: 0,
  });
  const perTask = ordered.map(([, { sum, tokens }]) => sum / tokens);
  const interval = perTask.length < 3 ? null : tInterval(perTask);
  return {
    mean_kl: total.tokens === 0 ? null : round(total.sum / total.tokens, 6),
    mean_kl_k3: k3Tokens === 0 || k3Tokens !== total.tokens ? null : round(k3 / k3Tokens, 6),
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
