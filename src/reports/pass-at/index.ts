import { z } from 'zod';
import { type Fold, foldRows, inOrder } from '../../core/fold.ts';
import { parseOptions } from '../../core/operator.ts';
import { asNotes, asWarnings } from '../../core/remarks.ts';
import { type CiMethod, meanInterval } from '../../stats/mean-interval.ts';
import { mean } from '../../stats/moments.ts';
import { passAtK } from '../../stats/pass-at-k.ts';
import type { Interval } from '../../stats/wilson.ts';
import { ciOptions } from '../ci-options.ts';
import { configOf, type RunConfig } from '../run-config.ts';
import { notesOf, warningsOf } from './remarks.ts';
import { type PassAtState, passCounts, type TaskCount, type Unused } from './state.ts';

const usualMinK = 4;
const options = z.strictObject({
  k: z
    .int()
    .min(1)
    .optional()
    .describe('Rollouts drawn for pass@k and pass^k. The smallest group of two or more if left out.'),
  minK: z.int().min(1).default(usualMinK).describe('Under this k the k-way numbers are withheld.'),
  unanimousShort: z
    .boolean()
    .default(false)
    .describe('Count a group shorter than k whose rollouts all agree as 1 or 0 in both k-way numbers.'),
  ...ciOptions,
});
type Options = z.output<typeof options>;

/** Options of `passAt`. */
export type PassAtOptions = z.input<typeof options>;
export type { PassAtState } from './state.ts';

/** How often a policy passes, over tasks. Shares from 0 to 1; null is not measured, never 0. */
export interface PassAt {
  readonly k: number;
  readonly pass_at_1: number | null;
  /** Probability that all of k rollouts pass. */
  readonly pass_pow_k: number | null;
  /** Probability that at least one of k rollouts passes. */
  readonly pass_at_k: number | null;
  /** pass@k - pass@1 over the tasks that have both. */
  readonly headroom: number | null;
  readonly n_groups: number;
  readonly n_groups_at_k: number;
  readonly n_groups_imputed: number;
  /** Rows that are a pass or a failure, of all rows, and why the others are neither. */
  readonly n_rows: number;
  readonly n_rows_total: number;
  readonly unused: Readonly<Record<Unused, number>>;
  readonly n_partial: number;
  readonly n_tasks_total: number;
  /** The first 20 tasks of which no row could be used. */
  readonly tasks_without_verdict: readonly string[];
  readonly n_groups_identical: number;
  readonly per_task: Readonly<Record<string, number>>;
  readonly ci95: Interval | null;
  readonly pass_pow_k_ci95: Interval | null;
  readonly pass_at_k_ci95: Interval | null;
  readonly ci_method: CiMethod;
  readonly config: RunConfig;
  /** The notes as one text; null without one. */
  readonly note: string | null;
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/**
 * Measure how often a policy passes: pass@1, pass^k and pass@k with 95 % intervals over tasks, and the headroom between
 * them over the same tasks. A row that is not judged is neither a pass nor a failure and is counted.
 *
 * Cost: one look-up a row; memory: a few numbers a task.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source Chen et al. 2021 (pass@k); Yao et al. 2024, arXiv 2406.12045 (pass^k); Miller 2024, arXiv 2411.00640
 */
export function passAt(rows: Iterable<unknown>, config: PassAtOptions = {}): PassAt {
  return foldRows(passAtFold(config), rows);
}

/** `passAt` a row at a time, mergeable. Rows delivered twice must be dropped before: they would look like more rollouts. */
export function passAtFold(config: PassAtOptions = {}): Fold<unknown, PassAtState, PassAt> {
  const parsed = parseOptions('passAt', options, config);
  return { ...passCounts, end: (state) => report(state, parsed) };
}

interface Estimate {
  readonly n: number;
  readonly rate: number;
  readonly pass_at_k: number;
  readonly pass_pow_k: number;
}

/** Give the number of rollouts a task: the smallest group of two or more, 1 without one. */
export function kOf({ tasks }: { readonly tasks: ReadonlyMap<string, Pick<TaskCount, 'n'>> }): number {
  let least = Infinity;
  for (const { n } of tasks.values()) if (n >= 2 && n < least) least = n;
  return Number.isFinite(least) ? least : 1;
}

/** Tasks with their judged rollouts, and those that pass. */
interface Counted {
  readonly tasks: ReadonlyMap<string, Pick<TaskCount, 'n' | 'c'>>;
}

/** What `passAt` says of a run without its intervals, for those who read no more. */
export function passRates({
  tasks,
}: Counted): Pick<PassAt, 'k' | 'pass_at_1' | 'pass_pow_k' | 'pass_at_k' | 'headroom'> {
  const counts = inOrder(tasks).flatMap(([, count]) => (count.n > 0 ? [count] : []));
  const k = kOf({ tasks });
  const atK = k < usualMinK ? [] : estimates(counts, k, false);
  const averages = atK.length === 0 ? null : averagesOf(atK);
  return {
    k,
    pass_at_1: counts.length === 0 ? null : mean(Float64Array.from(counts, ({ n, c }) => c / n)),
    pass_pow_k: averages && averages.pass_pow_k,
    pass_at_k: averages && averages.pass_at_k,
    headroom: averages && averages.pass_at_k - averages.rate,
  };
}

function averagesOf(atK: readonly Estimate[]) {
  const of = (read: (group: Estimate) => number) => mean(Float64Array.from(atK, read));
  return {
    rate: of(({ rate }) => rate),
    pass_at_k: of((one) => one.pass_at_k),
    pass_pow_k: of((one) => one.pass_pow_k),
  };
}

function report(state: PassAtState, given: Options): PassAt {
  const tasks = inOrder(state.tasks);
  const judged = tasks.filter(([, { n }]) => n > 0);
  const counts = judged.map(([, count]) => count);
  const sizes = counts.map(({ n }) => n).filter((n) => n >= 2);
  const smallest = kOf(state);
  const k = given.k ?? smallest;
  const isUneven = given.k === undefined && sizes.some((n) => n !== smallest);
  const atK = k < given.minK ? [] : estimates(counts, k, given.unanimousShort);
  const rates = Float64Array.from(counts, ({ n, c }) => c / n);
  const rows = counts.reduce((sum, { n }) => sum + n, 0);
  const overall = meanInterval(rates, rows, given);
  const eligibleRows = atK.reduce((sum, { n }) => sum + n, 0);
  const kWay = (read: (group: Estimate) => number) => {
    const values = Float64Array.from(atK, read);
    return { value: atK.length === 0 ? null : mean(values), ...meanInterval(values, eligibleRows, given) };
  };
  const [pow, at] = [kWay(({ pass_pow_k }) => pass_pow_k), kWay(({ pass_at_k }) => pass_at_k)];
  const notes = notesOf(state, counts, { k, minK: given.minK, isUneven, eligible: atK.length });
  const lost = tasks.filter(([, { n }]) => n === 0).map(([task]) => task);
  const identical = counts.filter(({ n, isRepeated }) => n > 1 && isRepeated).length;
  return {
    k,
    pass_at_1: counts.length === 0 ? null : mean(rates),
    pass_pow_k: pow.value,
    pass_at_k: at.value,
    headroom: at.value === null ? null : at.value - mean(atK.map(({ rate }) => rate)),
    n_groups: counts.length,
    n_groups_at_k: atK.length,
    n_groups_imputed: atK.filter(({ n }) => n < k).length,
    n_rows: rows,
    n_rows_total: state.rows,
    unused: { ...state.unused },
    n_partial: state.unused.partial,
    n_tasks_total: tasks.length,
    tasks_without_verdict: lost.slice(0, 20),
    n_groups_identical: identical,
    per_task: Object.fromEntries(judged.map(([task, { n, c }]) => [task, c / n])),
    ci95: overall.ci95,
    pass_pow_k_ci95: pow.ci95,
    pass_at_k_ci95: at.ci95,
    ci_method: overall.ci_method,
    config: configOf(state.config, { n_tasks: counts.length, k }),
    note: notes.length === 0 ? null : notes.map(({ text }) => text).join(' '),
    ...asNotes(notes),
    ...asWarnings(warningsOf(state, counts, lost.length, identical)),
  };
}

/** The k-way estimates of the groups that have k rollouts, and of shorter unanimous ones where those are to count. */
function estimates(counts: readonly Pick<TaskCount, 'n' | 'c'>[], k: number, unanimousShort: boolean): Estimate[] {
  return counts.flatMap(({ n, c }) => {
    if (n >= k) return [{ n, rate: c / n, ...passAtK(n, c, k) }];
    const isUnanimous = c === 0 || c === n;
    return unanimousShort && isUnanimous ? [{ n, rate: c / n, pass_at_k: c / n, pass_pow_k: c / n }] : [];
  });
}
