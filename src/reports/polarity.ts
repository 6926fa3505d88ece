import { z } from 'zod';
import { metricName } from '../rows/metric.ts';

/** Markers whose name says that less of it is better; every other marker is 1 when the outcome is good. */
const builtIn = new Set(
  ['boilerplate', 'self_reference', 'hedging', 'refusal', 'sycophancy', 'truncated'].map((name) => `marker:${name}`),
);

/** Option of the comparisons: which metrics are better when lower. */
export const lowerIsBetter = z
  .union([z.array(z.string()), z.record(z.string(), z.boolean())])
  .default([])
  .describe(
    'Markers whose drop is the gain: a list, or a map of names to true or false. Turns the verdict, no number.',
  );

type Polarity = z.output<typeof lowerIsBetter>;

/** Say whether a lower value of the metric is the better one. */
export function isLowerBetter(metric: string, polarity: Polarity): boolean {
  const said = namedMetrics(polarity).get(metric);
  return said ?? builtIn.has(metric);
}

/** The metrics an option names, by full name. */
export function namedMetrics(polarity: Polarity): ReadonlyMap<string, boolean> {
  const entries = Array.isArray(polarity) ? polarity.map((name) => [name, true] as const) : Object.entries(polarity);
  return new Map(entries.map(([name, isLower]) => [metricName(name), isLower]));
}
