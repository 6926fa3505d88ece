import { z } from 'zod';
import { type Fold, foldRows } from '../core/fold.ts';
import { parseOptions } from '../core/operator.ts';
import { asNotes, asWarnings, type Remark } from '../core/remarks.ts';
import { metricName } from '../rows/metric.ts';
import { meanInterval } from '../stats/mean-interval.ts';
import { mean } from '../stats/moments.ts';
import { ciOptions } from './ci-options.ts';
import { isConstant, metricOf, type Tally, tallyFold, taskMeans } from './tally.ts';

const options = z.strictObject({
  metric: z.string().default('pass_at_1').describe('`pass_at_1`, or the name of a marker, with or without `marker:`.'),
  ...ciOptions,
});
type Options = z.output<typeof options>;

/** One metric over a run: the mean of the task means, its interval, and how many rows it stands on. */
export type MetricSummary = ReturnType<typeof summarize>;

/**
 * Summarise one metric: the unweighted mean of the task means with its 95 % interval. Rows without a finite value are
 * left out and counted. When every value is the same there is no interval: such a run cannot say how sure it is.
 *
 * Cost: one look-up a row; memory: three numbers a task.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 16; Miller 2024, arXiv 2411.00640
 */
export function metricSummary(rows: Iterable<unknown>, config: z.input<typeof options> = {}): MetricSummary {
  return foldRows(metricSummaryFold(config), rows);
}

/** `metricSummary` a row at a time. */
export function metricSummaryFold(config: z.input<typeof options> = {}): Fold<unknown, Tally, MetricSummary> {
  const parsed = parseOptions('metricSummary', options, config);
  return {
    ...tallyFold([parsed.metric]),
    end: (tally) => summarize(tally, metricName(parsed.metric), parsed),
  };
}

/** Summarise one metric of a tally. */
export function summarize(tally: Tally, metric: string, { ciMethod, nBoot, seed }: Omit<Options, 'metric'>) {
  const found = metricOf(tally, metric);
  const values = [...taskMeans(found).values()];
  const degenerate = isConstant(found);
  const { ci95, ci_method } = meanInterval(values, found.rows, { ciMethod, nBoot, seed });
  const warnings: Remark[] = [];
  if (degenerate)
    warnings.push({
      code: 'degenerate',
      text: `Every one of the ${found.rows} values of ${metric} is ${found.low}: it cannot tell runs apart.`,
    });
  const notes: Remark[] = [];
  if (!degenerate && ci95 === null)
    notes.push({ code: 'no_interval', text: `${values.length} tasks have a value of ${metric}; an interval needs 3.` });
  return {
    metric,
    n_tasks: values.length,
    n_rows: found.rows,
    n_rows_total: tally.rows,
    n_rows_at_1: found.rowsAt1,
    n_rows_at_0: found.rowsAt0,
    n_invalid: found.invalid,
    n_not_measured: tally.rows - found.rows - found.invalid,
    mean: values.length === 0 ? null : mean(values),
    ci95: degenerate ? null : ci95,
    ci_method,
    degenerate,
    ...asWarnings(warnings),
    ...asNotes(notes),
  };
}
