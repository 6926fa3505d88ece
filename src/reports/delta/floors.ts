import { metricName } from '../../rows/metric.ts';
import { noiseBand } from '../../stats/noise-band.ts';
import { runStd } from '../eval-variance.ts';
import type { Tally } from '../tally.ts';
import type { DeltaSettings } from './options.ts';
import type { Side } from './state.ts';

/** What re-run noise alone can move a metric by. */
export interface Floor {
  readonly std: number;
  readonly band: number;
}

/** Where the floors came from, and each metric's own. A metric without one never borrows another's. */
export interface Floors {
  readonly source: 'given' | 'eval_run' | null;
  readonly runs: { readonly before: number; readonly after: number };
  readonly of: (metric: string) => Floor | null;
}

/** Find the re-run noise of each metric: as given, else pooled over the repeated runs of both sides. */
export function floorsOf({ runStd: given, runStdRuns }: DeltaSettings, before: Side, after: Side): Floors {
  const runs = { before: before.runs.runs.size, after: after.runs.runs.size };
  const floor = (std: number | null, df?: number): Floor | null =>
    std === null ? null : { std, band: noiseBand(std, Math.max(1, runs.before), Math.max(1, runs.after), df) };
  if (given !== undefined) {
    const df = runStdRuns === undefined ? undefined : runStdRuns - 1;
    const named = typeof given === 'number' ? given : byFullName(given);
    return {
      source: 'given',
      runs,
      of: (metric) => floor(typeof named === 'number' ? named : (named.get(metric) ?? null), df),
    };
  }
  if (runs.before < 2 || runs.after < 2) return { source: null, runs, of: () => null };
  const sides = [[...before.runs.runs.values()], [...after.runs.runs.values()]];
  return {
    source: 'eval_run',
    runs,
    of(metric) {
      const found = pooled(sides, metric);
      return found && floor(found.std, found.df);
    },
  };
}

/** The spread of both sides together, each about its own mean; null when one side has no spread of the metric. */
function pooled(sides: readonly (readonly Tally[])[], metric: string): { std: number; df: number } | null {
  let [squares, df] = [0, 0];
  for (const runs of sides) {
    const std = runStd(runs, metric);
    if (std === null) return null;
    const free = runs.filter((run) => (run.metrics.get(metric)?.rows ?? 0) > 0).length - 1;
    squares += std ** 2 * free;
    df += free;
  }
  return { std: Math.sqrt(squares / df), df };
}

const byFullName = (given: Readonly<Record<string, number | null>>) =>
  new Map(Object.entries(given).map(([name, std]) => [metricName(name), std]));
