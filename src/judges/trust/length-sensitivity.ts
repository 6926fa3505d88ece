import { replyOf } from '../../rows/reply.ts';
import { normalQuantile } from '../../stats/quantiles.ts';
import type { Compared } from './judge-agreement.ts';

const minRows = 6;
const maxGap = 0.15;
const minZ = normalQuantile(1 - 0.025 / 2); // two gaps are tried at 5 %

/**
 * Say whether a judge pays for length: among rows of one gold, how much more often it passes the longer half. Flagged from a
 * gap of 0.15 that chance does not explain.
 *
 * @source rlhfbook ch. 5 (length bias); house rule for the test
 */
export function lengthSensitivity(compared: readonly Compared[]) {
  const [one, zero] = [side(compared, 1), side(compared, 0)];
  const gaps = [one, zero].map(({ gap_long_minus_short: gap }) => Math.abs(gap ?? 0));
  return {
    gold_1: one,
    gold_0: zero,
    max_gap: Math.max(...gaps),
    flagged: [one, zero].some((half, n) => (gaps[n] ?? 0) >= maxGap && half.isReal),
  };
}

function side(compared: readonly Compared[], gold: 0 | 1): Side {
  const rows = compared
    .filter((one) => one.gold === gold)
    .map(({ row, judged }) => ({ length: replyOf(row).length, judged }));
  if (rows.length < minRows) return hidden({ n: rows.length }, false);
  const median = rows.map(({ length }) => length).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
  const [short, long] = [rows.filter(({ length }) => length < median), rows.filter(({ length }) => length >= median)];
  if (short.length === 0) return hidden({ n: rows.length, median_chars: median }, false);
  const passes = (half: typeof rows) => half.filter(({ judged }) => judged === 1).length;
  const [a, b] = [passes(short) / short.length, passes(long) / long.length];
  const said = {
    n: rows.length,
    median_chars: median,
    judge_pass_short: a,
    judge_pass_long: b,
    gap_long_minus_short: b - a,
  };
  return hidden(said, isReal(passes(short), short.length, passes(long), long.length));
}

export interface Figures {
  readonly n: number;
  readonly median_chars?: number;
  readonly judge_pass_short?: number;
  readonly judge_pass_long?: number;
  readonly gap_long_minus_short?: number;
}
type Side = Figures & { readonly isReal: boolean };

/** `isReal` is for the flag alone and is not written. */
const hidden = (figures: Figures, isReal: boolean): Side =>
  Object.defineProperty({ ...figures }, 'isReal', { value: isReal, enumerable: false }) as Side;

/** Two proportions that differ by more than chance. */
function isReal(a: number, n: number, b: number, m: number): boolean {
  const pooled = (a + b) / (n + m);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
  return error > 0 && Math.abs(a / n - b / m) / error > minZ;
}
