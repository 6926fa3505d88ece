import { type Fold, foldRows } from '../../core/fold.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { binaryLabel } from '../../rows/label.ts';
import { mean } from '../../stats/moments.ts';
import { round } from '../round.ts';
import { sampledOf } from './sampled.ts';

/** One number a row: what quantiles and a correlation need. */
export interface LogprobState {
  rows: number;
  truncated: number;
  tokens: number;
  readonly sampled: { readonly logprob: number; readonly mean: number; readonly label: 0 | 1 | undefined }[];
}

/** How sure a policy was of its own replies. 4 digits. */
export interface LogprobReport {
  readonly n_rows: number;
  readonly n_with_logprobs: number;
  readonly n_tokens: number;
  readonly mean_token_logprob: number | null;
  readonly row_mean_p10: number | null;
  readonly row_mean_p50: number | null;
  readonly row_mean_p90: number | null;
  /** Pearson correlation of pass or fail with a row's mean; null under 3 judged rows. */
  readonly corr_reward_confidence: number | null;
  readonly n_truncated: number;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

const tracksFrom = 0.3; // house rule: from here on the reward is partly the policy's own confidence

/**
 * Report the log-probabilities of sampled replies, and whether the reward follows the policy's own confidence.
 *
 * Memory: three numbers a row, for the quantiles.
 *
 * @source rlhfbook ch. 6 and 15
 */
export function logprobReport(rows: Iterable<unknown>): LogprobReport {
  return foldRows(logprobFold, rows);
}

/** `logprobReport` a row at a time. */
export const logprobFold: Fold<unknown, LogprobState, LogprobReport> = {
  start: () => ({ rows: 0, truncated: 0, tokens: 0, sampled: [] }),
  add(state, row) {
    if (!isObject(row)) return;
    state.rows++;
    if (hasCutStep(row)) state.truncated++;
    const found = sampledOf(row);
    if (!found) return;
    state.tokens += found.tokens;
    state.sampled.push({ logprob: found.logprob, mean: found.logprob / found.tokens, label: binaryLabel(row) });
  },
  merge(into, from) {
    into.rows += from.rows;
    into.truncated += from.truncated;
    into.tokens += from.tokens;
    into.sampled.push(...from.sampled);
  },
  end({ rows, truncated, tokens, sampled: unordered }) {
    const sampled = unordered.toSorted(
      (a, b) => a.mean - b.mean || a.logprob - b.logprob || order(a.label) - order(b.label),
    );
    const total = sampled.reduce((sum, { logprob }) => sum + logprob, 0);
    const quantile = (q: number) => roundOrNull(sampled[halfEven(q * (sampled.length - 1))]?.mean ?? null);
    const correlation = pearson(sampled.flatMap(({ label, mean: x }) => (label === undefined ? [] : { label, x })));
    return {
      n_rows: rows,
      n_with_logprobs: sampled.length,
      n_tokens: tokens,
      mean_token_logprob: roundOrNull(tokens === 0 ? null : total / tokens),
      row_mean_p10: quantile(0.1),
      row_mean_p50: quantile(0.5),
      row_mean_p90: quantile(0.9),
      corr_reward_confidence: roundOrNull(correlation),
      n_truncated: truncated,
      ...asWarnings(warningsOf(sampled.length, rows, correlation, truncated)),
    };
  },
};

function warningsOf(sampled: number, rows: number, correlation: number | null, truncated: number): Remark[] {
  const found: Remark[] = [];
  if (rows > 0 && sampled === 0)
    found.push({ code: 'no_logprobs', text: `None of ${rows} rows carries logprob and n_tokens.` });
  if (correlation !== null && correlation >= tracksFrom)
    found.push({
      code: 'reward_tracks_confidence',
      text: `The reward follows the policy's own confidence (r = ${round(correlation, 2)}): training on it sharpens what the policy does anyway.`,
    });
  if (truncated > 0)
    found.push({ code: 'truncated', text: `${truncated} rows have a step that was cut: their sums lack tokens.` });
  return found;
}

const hasCutStep = ({ steps }: JsonObject) =>
  Array.isArray(steps) && steps.some((step) => isObject(step) && step['truncated'] === true);
const order = (label: 0 | 1 | undefined) => label ?? -1;
const roundOrNull = (value: number | null) => (value === null ? null : round(value));

/** Round a half to the even neighbour, so that ranks do not drift upwards. */
function halfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

function pearson(pairs: readonly { readonly label: number; readonly x: number }[]): number | null {
  if (pairs.length < 3) return null;
  const [meanX, meanY] = [mean(pairs.map(({ x }) => x)), mean(pairs.map(({ label }) => label))];
  let [xy, xx, yy] = [0, 0, 0];
  for (const { x, label } of pairs) {
    xy += (x - meanX) * (label - meanY);
    xx += (x - meanX) ** 2;
    yy += (label - meanY) ** 2;
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}
