import { metricName } from '../../rows/metric.ts';
import { kOf } from '../pass-at/index.ts';
import { round } from '../round.ts';
import { type Floors, floorsOf } from './floors.ts';
import { type GroupDelta, groupDeltas } from './groups.ts';
import { type MetricDelta, metricDeltas } from './metrics.ts';
import type { DeltaSettings } from './options.ts';
import { type ProxyDelta, proxyOf } from './proxy.ts';
import { type Room, roomOf } from './room.ts';
import type { Side } from './state.ts';
import { type Unjudged, unjudgedOf } from './unjudged.ts';
import { isDown, isUp, movement, type TargetVerdict } from './verdict.ts';

/** Everything the report is written from. */
export interface DeltaFigures {
  readonly target: string | null;
  readonly targetVerdict: TargetVerdict | null;
  readonly headline: MetricDelta;
  readonly metrics: ReadonlyMap<string, MetricDelta>;
  readonly floors: Floors;
  readonly missing: readonly string[];
  readonly improved: readonly string[];
  readonly regressions: readonly string[];
  readonly slipped: readonly string[];
  readonly proxy: ProxyDelta;
  readonly room: Room;
  readonly familyError: number;
  readonly by: string | null;
  readonly groups: Readonly<Record<string, GroupDelta>>;
  readonly groupsDown: readonly string[];
  readonly k: { readonly before: number; readonly after: number };
  readonly unjudged: Unjudged | null;
}

/** Work out the figures of a report from both sides. */
export function figuresOf(before: Side, after: Side, given: DeltaSettings): DeltaFigures {
  const floors = floorsOf(given, before, after);
  const metrics = metricDeltas(before, after, given, floors);
  const target = given.target === undefined ? null : metricName(given.target);
  const headline = headlineOf(metrics, target);
  const missing = [...new Set(given.mustNotRegress.map(metricName))].filter(
    (guard) => metrics.get(guard)?.delta == null,
  );
  const falls = (metric: MetricDelta) =>
    isDown(metric) && !(metric.guarded && given.guardCorrection === 'holm' && (metric.p_adjusted ?? 0) > 0.05);
  const groups = groupDeltas(headline.metric, before, after, given);
  const k = { before: kOf(before.passes), after: kOf(after.passes) };
  return {
    target,
    targetVerdict: target === null ? null : target === headline.metric ? movement(headline) : 'target_not_measured',
    headline,
    metrics,
    floors,
    missing,
    improved: named(metrics, isUp),
    regressions: named(metrics, (metric) => metric.guarded && falls(metric)),
    slipped: named(metrics, (metric) => !metric.guarded && falls(metric)),
    proxy: proxyOf(given.proxy, metrics, headline),
    room: roomOf(before, after, headline, k.before),
    familyError: round(1 - 0.95 ** metrics.size),
    by: given.by === undefined ? null : typeof given.by === 'function' ? given.by.name || 'group' : given.by,
    groups,
    groupsDown: Object.keys(groups).filter((group) => groups[group]?.verdict === 'a_better'),
    k,
    unjudged: unjudgedOf(before, after),
  };
}

/** The target where it has a value on both sides, else the pass rate. */
function headlineOf(metrics: ReadonlyMap<string, MetricDelta>, target: string | null): MetricDelta {
  const wanted = target === null ? undefined : metrics.get(target);
  return (wanted && wanted.delta !== null ? wanted : metrics.get('pass_at_1')) as MetricDelta; // it is always compared
}

/** The names of the metrics that something holds of. */
export const named = (metrics: ReadonlyMap<string, MetricDelta>, is: (metric: MetricDelta) => boolean): string[] =>
  [...metrics.values()].filter(is).map(({ metric }) => metric);
