import type { JsonObject } from '../core/json-object.ts';
import { binaryLabel } from './label.ts';
import { markerValue } from './marker-value.ts';
/** What a metric says of one row: a number, no value, or a value that is no finite number. */
export type Reading = number | 'invalid' | undefined;

/** Write a metric's full name: `pass_at_1`, or `marker:<name>` also for a bare marker name. */
export function metricName(name: string): string {
  return name === 'pass_at_1' || name.startsWith('marker:') ? name : `marker:${name}`;
}

/** Make the reader of a metric. A pass rate reads `reward`, a marker its value; both are averaged over tasks. */
export function metricReader(metric: string): (row: JsonObject) => Reading {
  const name = metricName(metric);
  if (name === 'pass_at_1') return binaryLabel;
  const marker = name.slice('marker:'.length);
  return (row) => markerValue(row, marker);
}

/** Name the markers on a row, as metrics. */
export function markerMetrics(row: JsonObject): string[] {
  const markers = row['markers'];
  return markers !== null && typeof markers === 'object' ? Object.keys(markers).map((name) => `marker:${name}`) : [];
}
