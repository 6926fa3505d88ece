import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { type Fold, foldRows, inOrder } from '../core/fold.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { asNotes, type Remark } from '../core/remarks.ts';
import { metricName } from '../rows/metric.ts';
import { mean, sampleVariance } from '../stats/moments.ts';
import { noiseBand } from '../stats/noise-band.ts';
import { round } from './round.ts';
import { metricOf, type Tally, tallyFold, taskMeans } from './tally.ts';

const options = z.strictObject({
  metric: z.string().default('pass_at_1').describe('`pass_at_1`, or the name of a marker, with or without `marker:`.'),
  by: z
    .string()
    .optional()
    .describe('Row field, else lineage field, that names the run of a row. `lineage.eval_run`, then `scoring_run_id`.'),
});
type Options = z.output<typeof options>;

/** The runs of one policy, by name, and the rows that name none. */
export interface RunTallies {
  readonly runs: Map<string, Tally>;
  unkeyed: number;
}

/** How far runs of one policy over one set of tasks lie apart. Means and spreads have 4 digits. */
export interface EvalVariance {
  readonly metric: string;
  /** Runs that have a value. */
  readonly n_runs: number;
  readonly means: Readonly<Record<string, number | null>>;
  readonly mean: number | null;
  readonly run_std: number | null;
  readonly run_std_by_metric: Readonly<Record<string, number | null>>;
  readonly run_std_points: number | null;
  /** A delta between two single runs is noise below this. */
  readonly noise_band: number | null;
  readonly noise_band_df: number | null;
  readonly stability: 'very_stable' | 'stable' | 'high_variance' | null;
  readonly tasks_in_every_run: number;
  readonly n_unkeyed: number;
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
}

/**
 * Measure the noise of an evaluation from repeated runs: the spread of the runs' means, and the band within which a delta
 * is noise, with Student's t where the spread itself came from few runs.
 *
 * @param runs - one list a run; a single list is split by the run that each row names
 * @throws TM_OPTIONS - no list, something that is no list of rows (`type_error`), or an unknown option
 * @source rlhfbook ch. 16 (bands of stability: Olmo 3)
 */
export function evalVariance(runs: readonly Iterable<unknown>[], config: z.input<typeof options> = {}): EvalVariance {
  const parsed = parseOptions('evalVariance', options, config);
  const [first, ...more] = runs.map(asRows);
  if (!first) throw new TracemillError('TM_OPTIONS', 'evalVariance: give at least one list of rows');
  if (more.length === 0) return foldRows(evalVarianceFold(config), first);
  const tallies = [first, ...more].map((rows, at) => [`run_${at + 1}`, foldRows(tallyFold(), rows)] as const);
  return variance({ runs: new Map(tallies), unkeyed: 0 }, parsed);
}

/** `evalVariance` of one list, a row at a time. */
export function evalVarianceFold(config: z.input<typeof options> = {}): Fold<unknown, RunTallies, EvalVariance> {
  const parsed = parseOptions('evalVariance', options, config);
  return { ...runTallies(parsed.by), end: (state) => variance(state, parsed) };
}

/** Tally each run of a list by itself. */
export function runTallies(by?: string): Fold<unknown, RunTallies, RunTallies> {
  const tally = tallyFold();
  const runOf = (state: RunTallies, run: string) => {
    const known = state.runs.get(run) ?? tally.start();
    state.runs.set(run, known);
    return known;
  };
  return {
    start: () => ({ runs: new Map(), unkeyed: 0 }),
    add(state, row) {
      if (!isObject(row)) return;
      const run = runName(row, by);
      if (run === undefined) state.unkeyed++;
      else tally.add(runOf(state, run), row);
    },
    merge(into, from) {
      into.unkeyed += from.unkeyed;
      for (const [run, other] of from.runs) tally.merge(runOf(into, run), other);
    },
    end: (state) => state,
  };
}

/** Give the sample standard deviation of the runs' means of a metric, unrounded; null under two runs with a value. */
export function runStd(runs: Iterable<Tally>, metric: string): number | null {
  // In order of size: a sum of floats would tell in its last digit which run came first.
  const values = [...runs].flatMap((run) => runMean(run, metric) ?? []).sort((a, b) => a - b);
  return values.length < 2 ? null : Math.sqrt(sampleVariance(values));
}

/** Name the metrics of runs: the pass rate, and every marker that has a value in all of them. */
export function sharedMetrics(runs: readonly Tally[]): string[] {
  const [first, ...others] = runs;
  const markers = first ? [...first.metrics.keys()].filter((metric) => metric !== 'pass_at_1') : [];
  const isEverywhere = (metric: string) => [first, ...others].every((run) => run && metricOf(run, metric).rows > 0);
  return ['pass_at_1', ...markers.filter(isEverywhere).sort()];
}

function variance({ runs: unordered, unkeyed }: RunTallies, given: Options): EvalVariance {
  const metric = metricName(given.metric);
  const runs = inOrder(unordered);
  const tallies = runs.map(([, tally]) => tally);
  const means = runs.map(([run, tally]) => [run, runMean(tally, metric)] as const);
  const values = means.flatMap(([, value]) => value ?? []);
  const std = runStd(tallies, metric);
  const metrics = [...new Set([metric, ...sharedMetrics(tallies)])];
  const df = std === null ? null : values.length - 1;
  const taskSets = tallies.map((tally) => metricOf(tally, metric).tasks);
  const everywhere = [...(taskSets[0]?.keys() ?? [])].filter((task) => taskSets.every((tasks) => tasks.has(task)));
  return {
    metric,
    n_runs: values.length,
    means: Object.fromEntries(means.map(([run, value]) => [run, roundOrNull(value)])),
    mean: values.length === 0 ? null : round(mean(values)),
    run_std: roundOrNull(std),
    run_std_by_metric: Object.fromEntries(metrics.map((name) => [name, roundOrNull(runStd(tallies, name))])),
    run_std_points: std === null ? null : round(std * 100, 2),
    noise_band: std === null || df === null ? null : round(noiseBand(std, 1, 1, df)),
    noise_band_df: df,
    stability: std === null ? null : std < 0.0035 ? 'very_stable' : std < 0.007 ? 'stable' : 'high_variance',
    tasks_in_every_run: everywhere.length,
    n_unkeyed: unkeyed,
    ...asNotes(
      notesOf(
        values.length,
        unkeyed,
        taskSets.some((tasks) => tasks.size !== everywhere.length),
      ),
    ),
  };
}

function notesOf(runs: number, unkeyed: number, isDifferent: boolean): Remark[] {
  const notes: Remark[] = [];
  if (unkeyed > 0) notes.push({ code: 'unkeyed_rows', text: `${unkeyed} rows name no run and are left out.` });
  if (runs < 3) notes.push({ code: 'few_runs', text: `${runs} runs have a value: a spread needs at least 3.` });
  if (isDifferent)
    notes.push({ code: 'tasks_differ', text: 'The runs have different tasks: part of the spread is the tasks.' });
  return notes;
}

function runName(row: JsonObject, by: string | undefined): string | undefined {
  const lineage = isObject(row['lineage']) ? row['lineage'] : {};
  const name = by === undefined ? (lineage['eval_run'] ?? lineage['scoring_run_id']) : (row[by] ?? lineage[by]);
  return name === undefined || name === null || name === '' ? undefined : String(name);
}

function runMean(run: Tally, metric: string): number | null {
  const values = [...taskMeans(metricOf(run, metric)).values()];
  return values.length === 0 ? null : mean(values);
}

const roundOrNull = (value: number | null) => (value === null ? null : round(value));

function asRows(rows: unknown): Iterable<unknown> {
  if (Array.isArray(rows) || (isObject(rows) && Symbol.iterator in rows)) return rows as Iterable<unknown>;
  throw new TracemillError('TM_OPTIONS', 'evalVariance: a run is a list of rows', { reason: 'type_error' });
}
