import { z } from 'zod';
import { type Fold, foldRows } from '../core/fold.ts';
import { parseOptions } from '../core/operator.ts';
import { asNotes, type Remark } from '../core/remarks.ts';
import { metricName } from '../rows/metric.ts';
import { bootstrapCi, bootstrapDifference } from '../stats/bootstrap.ts';
import { mean, sampleVariance } from '../stats/moments.ts';
import { signFlipTest } from '../stats/sign-flip.ts';
import { tInterval, welchInterval } from '../stats/t-interval.ts';
import type { Interval } from '../stats/wilson.ts';
import { isLowerBetter, lowerIsBetter } from './polarity.ts';
import { metricOf, type Tally, tallyFold, taskMeans } from './tally.ts';

/** The smallest number of pairs whose most extreme exact p-value reaches 0.05: log2(2 / 0.05), rounded up. */
export const leastPairs = 6;
const alpha = 0.05;

export const compareOptions = {
  nBoot: z.int().min(100).default(2000).describe('Resamples of the percentile bootstrap.'),
  seed: z.int().default(0).describe('Fixes every random draw of the report.'),
  minPaired: z.int().min(1).default(5).describe('Shared tasks from which the runs are compared task by task.'),
  ciMethod: z
    .enum(['paired_t', 'percentile'])
    .default('paired_t')
    .describe('How the 95 % interval of the difference is made. The percentile bootstrap is too narrow for few tasks.'),
  lowerIsBetter,
};
const options = z.strictObject({
  metric: z.string().default('pass_at_1').describe('`pass_at_1`, or the name of a marker, with or without `marker:`.'),
  ...compareOptions,
});
type Settings = Omit<z.output<typeof options>, 'metric'>;

export type Verdict = 'b_better' | 'a_better' | 'no_difference_detected' | 'insufficient_data';

/** One metric of run b against run a. `delta` is b - a. Null is not measured. */
export interface Comparison {
  readonly metric: string;
  readonly paired: boolean;
  readonly n_paired: number;
  readonly n_only_a: number;
  readonly n_only_b: number;
  /** Shared tasks of all tasks; null without tasks. */
  readonly paired_share: number | null;
  /** Tasks behind the interval: pairs, or the tasks of the smaller side. */
  readonly n_used: number;
  /** Means over all tasks of each side: they differ by more or less than `delta` when tasks were dropped. */
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  readonly paired_mean_a: number | null;
  readonly paired_mean_b: number | null;
  readonly delta: number | null;
  readonly ci95: Interval | null;
  readonly ci_method: 'paired_t' | 'welch_t' | 'percentile' | null;
  /** Standard deviation of the differences between shared tasks; null when compared as two samples. */
  readonly paired_std: number | null;
  readonly p_value: number | null;
  readonly p_value_mid: number | null;
  readonly p_method: 'exact' | 'monte_carlo' | null;
  readonly verdict: Verdict;
  /** True when a lower value of the metric is the better one: the verdict is turned, never the numbers. */
  readonly lower_is_better: boolean;
  readonly n_rows_a: number;
  readonly n_rows_b: number;
  /** Rows of both sides whose value is no finite number: left out. */
  readonly n_invalid: number;
  readonly note: string | null;
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
}

/** A row of one of two runs. */
export interface Sided {
  readonly side: 'a' | 'b';
  readonly row: unknown;
}

/**
 * Compare two runs on one metric, task by task. Better or worse is said only when at least 6 shared tasks, the t interval
 * of the differences and the exact sign-flip test agree; with too few shared tasks the runs are compared as two samples.
 * `no_difference_detected` means that the interval covers zero, not that the runs are equal.
 *
 * Cost: one look-up a row, then the number of tasks times the grid of their differences; memory: three numbers a task.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source Miller 2024, arXiv 2411.00640 (paired differences); Phipson & Smyth 2010 (permutation p-values)
 */
export function compareRuns(
  a: Iterable<unknown>,
  b: Iterable<unknown>,
  config: z.input<typeof options> = {},
): Comparison {
  const { metric, ...settings } = parseOptions('compareRuns', options, config);
  const fold = tallyFold([metric]);
  return compareMetric(metricName(metric), foldRows(fold, a), foldRows(fold, b), settings);
}

/** `compareRuns` a row at a time: each row with the side it belongs to. */
export function compareRunsFold(
  config: z.input<typeof options> = {},
): Fold<Sided, { readonly a: Tally; readonly b: Tally }, Comparison> {
  const { metric, ...settings } = parseOptions('compareRuns', options, config);
  const fold = tallyFold([metric]);
  return {
    start: () => ({ a: fold.start(), b: fold.start() }),
    add: (state, { side, row }) => fold.add(state[side], row),
    merge(into, from) {
      fold.merge(into.a, from.a);
      fold.merge(into.b, from.b);
    },
    end: ({ a, b }) => compareMetric(metricName(metric), a, b, settings),
  };
}

/** Compare one metric of two tallies. */
export function compareMetric(metric: string, runA: Tally, runB: Tally, settings: Settings): Comparison {
  const [tallyA, tallyB] = [metricOf(runA, metric), metricOf(runB, metric)];
  const [a, b] = [taskMeans(tallyA), taskMeans(tallyB)];
  const shared = [...a.keys()].filter((task) => b.has(task));
  const union = a.size + b.size - shared.length;
  const [pairedA, pairedB] = [a, b].map((means) => shared.map((task) => means.get(task) as number)) as [
    number[],
    number[],
  ];
  const isPaired = shared.length >= settings.minPaired;
  const [all, other] = [[...a.values()], [...b.values()]];
  const { canDecide, ...tested } = isPaired ? pairs(pairedA, pairedB, settings) : samples(all, other, settings);
  const isLower = isLowerBetter(metric, settings.lowerIsBetter);
  const notes = notesOf(isPaired, shared.length, union, { a: a.size, b: b.size });
  return {
    metric,
    paired: isPaired,
    n_paired: shared.length,
    n_only_a: a.size - shared.length,
    n_only_b: b.size - shared.length,
    paired_share: union === 0 ? null : shared.length / union,
    n_used: isPaired ? shared.length : Math.min(a.size, b.size),
    mean_a: meanOrNull(all),
    mean_b: meanOrNull(other),
    paired_mean_a: meanOrNull(pairedA),
    paired_mean_b: meanOrNull(pairedB),
    ...tested,
    verdict: verdictOf({ ...tested, canDecide }, isLower),
    lower_is_better: isLower,
    n_rows_a: tallyA.rows,
    n_rows_b: tallyB.rows,
    n_invalid: tallyA.invalid + tallyB.invalid,
    note: notes.length === 0 ? null : notes.map(({ text }) => text).join(' '),
    ...asNotes(notes),
  };
}

type Tested = 'delta' | 'ci95' | 'ci_method' | 'paired_std' | 'p_value' | 'p_value_mid' | 'p_method';
interface Found extends Pick<Comparison, Tested> {
  readonly canDecide: boolean;
}

function pairs(a: readonly number[], b: readonly number[], { ciMethod, nBoot, seed }: Settings) {
  const diffs = b.map((value, at) => value - (a[at] as number));
  const { p_value, p_value_mid, method } = signFlipTest(diffs, seed);
  return known({
    delta: mean(diffs),
    ci95: ciMethod === 'paired_t' ? tInterval(diffs) : bootstrapCi(diffs, { nBoot, seed }),
    ci_method: ciMethod,
    paired_std: diffs.length < 2 ? null : Math.sqrt(sampleVariance(diffs)),
    p_value,
    p_value_mid,
    p_method: method,
    canDecide: diffs.length >= leastPairs,
  });
}

function samples(a: readonly number[], b: readonly number[], { ciMethod, nBoot, seed }: Settings) {
  const isEnough = a.length >= 3 && b.length >= 3;
  const interval = ciMethod === 'paired_t' ? welchInterval(a, b) : bootstrapDifference(a, b, { nBoot, seed });
  return known({
    delta: a.length === 0 || b.length === 0 ? null : mean(b) - mean(a),
    ci95: isEnough ? interval : null,
    ci_method: ciMethod === 'paired_t' ? 'welch_t' : ciMethod,
    paired_std: null,
    p_value: null,
    p_value_mid: null,
    p_method: null,
    canDecide: isEnough && 2 / ways(a.length + b.length, a.length) <= alpha,
  });
}

/** Without an interval there is no method to name. */
const known = (found: Found): Found => ({ ...found, ci_method: found.ci95 === null ? null : found.ci_method });

function verdictOf({ ci95, p_value_mid, canDecide }: Found, isLower: boolean): Verdict {
  if (ci95 === null || !canDecide) return 'insufficient_data';
  const isSure = p_value_mid === null || p_value_mid <= alpha;
  if (!isSure || (ci95[0] <= 0 && ci95[1] >= 0)) return 'no_difference_detected';
  return ci95[0] > 0 === isLower ? 'a_better' : 'b_better';
}

function notesOf(isPaired: boolean, shared: number, union: number, sizes: Record<'a' | 'b', number>): Remark[] {
  const notes: Remark[] = [];
  if (!isPaired)
    notes.push({
      code: 'unpaired_fallback',
      text: `Only ${shared} tasks are shared: compared as two samples of ${sizes.a} and ${sizes.b} tasks.`,
    });
  else if (shared < union)
    notes.push({ code: 'tasks_dropped', text: `${union - shared} tasks are on one side only and are left out.` });
  if (union > 0 && shared / union < 0.5)
    notes.push({
      code: 'most_unpaired',
      text: `Only ${shared} of ${union} tasks are shared: the runs asked different things.`,
    });
  return notes;
}

const meanOrNull = (values: readonly number[]) => (values.length === 0 ? null : mean(values));

/** How many ways to choose k of n, as far as a verdict needs to know. */
function ways(n: number, k: number): number {
  let count = 1;
  for (let at = 1; at <= k && count < 1e6; at++) count = (count * (n - k + at)) / at;
  return count;
}
