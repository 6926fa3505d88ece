import { type Fold, inOrder } from '../core/fold.ts';
import { isObject } from '../core/json-object.ts';
import { markerMetrics, metricName, metricReader } from '../rows/metric.ts';
import { taskKey } from '../rows/task-key.ts';
import { addTo, type ExactSum, emptySum, totalOf } from '../stats/exact-sum.ts';

/** What the comparisons need of one task: how many rows had a value, and their sum. */
interface TaskTally extends ExactSum {
  n: number;
}

/** One metric over tasks. */
export interface MetricTally {
  readonly tasks: Map<string, TaskTally>;
  rows: number;
  rowsAt1: number;
  rowsAt0: number;
  /** Rows that carry a value which is no finite number: skipped, and said. */
  invalid: number;
  low: number;
  high: number;
}

/** Every metric of a run. */
export interface Tally {
  /** Rows seen, used or not. */
  rows: number;
  readonly metrics: Map<string, MetricTally>;
}

/**
 * Sum metrics by task. Costs one look-up a row and metric; memory is three numbers for each task and metric.
 *
 * @param metrics - the metrics to read; the pass rate and every marker that occurs when left out
 */
export function tallyFold(metrics?: readonly string[]): Fold<unknown, Tally, Tally> {
  const wanted = metrics?.map(metricName);
  const readers = new Map<string, ReturnType<typeof metricReader>>();
  const readerOf = (metric: string) => {
    const reader = readers.get(metric) ?? metricReader(metric);
    readers.set(metric, reader);
    return reader;
  };
  return {
    start: () => ({ rows: 0, metrics: new Map((wanted ?? ['pass_at_1']).map((metric) => [metric, emptyMetric()])) }),
    add(tally, row) {
      if (!isObject(row)) return;
      tally.rows++;
      const task = taskKey(row);
      if (wanted) for (const metric of wanted) take(metricIn(tally, metric), task, readerOf(metric)(row));
      else {
        take(metricIn(tally, 'pass_at_1'), task, readerOf('pass_at_1')(row));
        for (const metric of markerMetrics(row)) take(metricIn(tally, metric), task, readerOf(metric)(row));
      }
    },
    merge(into, from) {
      into.rows += from.rows;
      for (const [metric, tally] of from.metrics) mergeMetric(metricIn(into, metric), tally);
    },
    end: (tally) => tally,
  };
}

/** Read one metric's tally; an empty one when no row carried it. */
export const metricOf = (tally: Tally, metric: string): MetricTally => tally.metrics.get(metric) ?? emptyMetric();

/** Give the mean of each task, in the order of the task keys. */
export function taskMeans({ tasks }: MetricTally): Map<string, number> {
  return new Map(inOrder(tasks).map(([task, tally]) => [task, totalOf(tally) / tally.n]));
}

/** Say whether every value is the same to 9 digits, over one or more tallies together. False without a value. */
export function isConstant(...tallies: readonly MetricTally[]): boolean {
  const low = Math.min(...tallies.map((tally) => tally.low));
  const high = Math.max(...tallies.map((tally) => tally.high));
  return low <= high && Number(low.toFixed(9)) === Number(high.toFixed(9));
}

const emptyMetric = (): MetricTally => ({
  tasks: new Map(),
  rows: 0,
  rowsAt1: 0,
  rowsAt0: 0,
  invalid: 0,
  low: Infinity,
  high: -Infinity,
});

function metricIn(tally: Tally, metric: string): MetricTally {
  const known = tally.metrics.get(metric);
  if (known) return known;
  const fresh = emptyMetric();
  tally.metrics.set(metric, fresh);
  return fresh;
}

function take(metric: MetricTally, task: string, value: number | 'invalid' | undefined): void {
  if (value === undefined) return;
  if (value === 'invalid') {
    metric.invalid++;
    return;
  }
  const tally = taskOf(metric, task);
  tally.n++;
  addTo(tally, value);
  metric.rows++;
  if (value === 1) metric.rowsAt1++;
  if (value === 0) metric.rowsAt0++;
  if (value < metric.low) metric.low = value;
  if (value > metric.high) metric.high = value;
}

function mergeMetric(into: MetricTally, from: MetricTally): void {
  for (const [task, { n, high, low }] of from.tasks) {
    const tally = taskOf(into, task);
    tally.n += n;
    addTo(tally, high);
    addTo(tally, low);
  }
  into.rows += from.rows;
  into.rowsAt1 += from.rowsAt1;
  into.rowsAt0 += from.rowsAt0;
  into.invalid += from.invalid;
  into.low = Math.min(into.low, from.low);
  into.high = Math.max(into.high, from.high);
}

function taskOf({ tasks }: MetricTally, task: string): TaskTally {
  const known = tasks.get(task);
  if (known) return known;
  const fresh = { n: 0, ...emptySum() };
  tasks.set(task, fresh);
  return fresh;
}
