import { inOrder } from '../../core/fold.ts';
import { mean } from '../../stats/moments.ts';
import type { PassAtState } from '../pass-at/state.ts';
import type { Side } from './state.ts';

/** What the rows without a verdict could hide in the pass rate. */
export interface Unjudged {
  readonly rows_before: number;
  readonly rows_after: number;
  /** True when the tasks do not lack the same number of verdicts on both sides. */
  readonly differ: boolean;
  /** The delta of the pass rate if they had all failed after and passed before, and the other way round. */
  readonly delta_bounds: readonly [low: number, high: number] | null;
}

/** Bound the delta of the pass rate by what rows without a verdict could have been. Null when every row has one. */
export function unjudgedOf(before: Side, after: Side): Unjudged | null {
  const [a, b] = [before.passes, after.passes];
  const [lacksA, lacksB] = [lacking(a), lacking(b)];
  if (lacksA.size === 0 && lacksB.size === 0) return null;
  const tasks = new Set([...lacksA.keys(), ...lacksB.keys()]);
  const [boundsA, boundsB] = [bounds(a), bounds(b)];
  const total = (lacks: ReadonlyMap<string, number>) => [...lacks.values()].reduce((sum, n) => sum + n, 0);
  return {
    rows_before: total(lacksA),
    rows_after: total(lacksB),
    differ: [...tasks].some((task) => lacksA.get(task) !== lacksB.get(task)),
    delta_bounds: boundsA && boundsB && [boundsB[0] - boundsA[1], boundsB[1] - boundsA[0]],
  };
}

function lacking({ tasks }: PassAtState): Map<string, number> {
  return new Map(inOrder(tasks).flatMap(([task, { n, rows }]) => (rows > n ? [[task, rows - n] as const] : [])));
}

function bounds({ tasks }: PassAtState): readonly [number, number] | null {
  const counts = inOrder(tasks).map(([, count]) => count);
  if (counts.length === 0) return null;
  return [mean(counts.map(({ c, rows }) => c / rows)), mean(counts.map(({ n, c, rows }) => (c + rows - n) / rows))];
}
