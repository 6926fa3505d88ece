import { z } from 'zod';
import { type Fold, foldRows } from '../core/fold.ts';
import { parseOptions } from '../core/operator.ts';
import { metricName } from '../rows/metric.ts';
import { ciOptions } from './ci-options.ts';
import { type MetricSummary, summarize } from './metric-summary.ts';
import { type Tally, tallyFold } from './tally.ts';

const options = z.strictObject({
  names: z.array(z.string()).optional().describe('Markers to summarise. All that occur when left out.'),
  ...ciOptions,
});

/**
 * Summarise every marker that occurs on any row, by name: the mean over tasks, its interval, and a warning where every
 * value is the same.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source house rule; 1 is the good outcome of every marker
 */
export function markerSummary(
  rows: Iterable<unknown>,
  config: z.input<typeof options> = {},
): Readonly<Record<string, MetricSummary>> {
  return foldRows(markerSummaryFold(config), rows);
}

/** `markerSummary` a row at a time. */
export function markerSummaryFold(
  config: z.input<typeof options> = {},
): Fold<unknown, Tally, Readonly<Record<string, MetricSummary>>> {
  const parsed = parseOptions('markerSummary', options, config);
  return {
    ...tallyFold(parsed.names?.map((name) => metricName(name))),
    end(tally) {
      const metrics = [...tally.metrics.keys()].filter((metric) => metric.startsWith('marker:')).sort();
      return Object.fromEntries(
        metrics.map((metric) => [metric.slice('marker:'.length), summarize(tally, metric, parsed)]),
      );
    },
  };
}
