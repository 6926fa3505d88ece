import { TracemillError } from '../../core/errors.ts';
import { metricName } from '../../rows/metric.ts';
import { adjustPValues } from '../../stats/adjust-p-values.ts';
import { type Comparison, compareMetric } from '../compare-runs.ts';
import { namedMetrics } from '../polarity.ts';
import { isConstant, metricOf } from '../tally.ts';
import type { Floor, Floors } from './floors.ts';
import type { DeltaSettings } from './options.ts';
import type { Side } from './state.ts';

/** One metric of the report. */
export interface MetricDelta extends Comparison {
  /** True when re-run noise alone explains a delta of this size. */
  readonly within_noise: boolean;
  readonly run_std: number | null;
  readonly noise_band: number | null;
  /** `no_replicate_floor` when other metrics have a re-run noise and this one has none. */
  readonly noise_note: string | null;
  /** Guards: Holm over the guards. Others: Benjamini-Hochberg over the others. Of the mid p-value; null without one. */
  readonly p_adjusted: number | null;
  /** True when one value over both sides together makes the metric unable to move. */
  readonly degenerate: boolean;
  readonly guarded: boolean;
}

/** Compare every metric of both sides, with its floor and its p-value among the others. */
export function metricDeltas(
  before: Side,
  after: Side,
  given: DeltaSettings,
  floors: Floors,
): ReadonlyMap<string, MetricDelta> {
  const guards = new Set(given.mustNotRegress.map(metricName));
  const names = metricNames(before, after, given);
  checkPolarity(given, names);
  const compared = names.map((metric, at) => {
    const settings = { ...given, seed: given.seed + at };
    return withFloor(compareMetric(metric, before.tally, after.tally, settings), floors);
  });
  const adjusted = new Map([
    ...adjust(
      compared.filter(({ metric }) => guards.has(metric)),
      'holm',
    ),
    ...adjust(
      compared.filter(({ metric }) => !guards.has(metric)),
      'bh',
    ),
  ]);
  return new Map(
    compared.map((found) => {
      const { metric } = found;
      const degenerate = isConstant(metricOf(before.tally, metric), metricOf(after.tally, metric));
      const guarded = guards.has(metric);
      return [metric, { ...found, p_adjusted: adjusted.get(metric) ?? null, degenerate, guarded }];
    }),
  );
}

/** The pass rate, then the markers asked for, or all that both sides have. */
function metricNames(before: Side, after: Side, { markers, target, proxy, mustNotRegress }: DeltaSettings): string[] {
  const isShared = (metric: string) => [before, after].every(({ tally }) => metricOf(tally, metric).rows > 0);
  const named = [target, proxy, ...mustNotRegress].filter((name) => name !== undefined).map(metricName);
  const found = markers
    ? [...markers.map(metricName), ...named.filter(isShared)]
    : [...before.tally.metrics.keys()].filter(isShared);
  return ['pass_at_1', ...new Set(found.filter((metric) => metric !== 'pass_at_1').sort())];
}

function checkPolarity({ lowerIsBetter }: DeltaSettings, names: readonly string[]): void {
  const unknown = [...namedMetrics(lowerIsBetter).keys()].find((metric) => !names.includes(metric));
  if (unknown !== undefined)
    throw new TracemillError(
      'TM_OPTIONS',
      `deltaReport: lowerIsBetter names ${unknown}, which is not measured on both sides`,
    );
}

function withFloor(found: Comparison, { source, of }: Floors) {
  const floor: Floor | null = of(found.metric);
  return {
    ...found,
    within_noise: floor !== null && found.delta !== null && Math.abs(found.delta) < floor.band,
    run_std: floor?.std ?? null,
    noise_band: floor?.band ?? null,
    noise_note: floor === null && source !== null ? 'no_replicate_floor' : null,
  };
}

function adjust(metrics: readonly Comparison[], how: 'bh' | 'holm'): [string, number][] {
  const tested = metrics.flatMap(({ metric, p_value_mid }) => (p_value_mid === null ? [] : { metric, p: p_value_mid }));
  const adjusted = adjustPValues(tested.map(({ p }) => p))[how];
  return tested.map(({ metric }, at) => [metric, adjusted[at] as number]);
}
