import type { Feature } from './columns.ts';
import type { Graded } from './graded.ts';

/** A feature made ready to be correlated with rewards within tasks, many times. */
export interface Ready {
  readonly feature: Feature;
  /** Rows on which it is not zero. */
  readonly rows: Int32Array;
  /** Its values there; absent when all are 1. */
  readonly weights: Float64Array | undefined;
  /** Population standard deviation within tasks. */
  readonly spread: number;
}

/** Make a feature ready: its rows and its spread within tasks. */
export function ready(feature: Feature, { starts }: Graded): Ready {
  const { values, isBinary } = feature;
  const rows = new Int32Array(feature.observed);
  let filled = 0;
  for (let at = 0; at < values.length; at++) if (values[at] !== 0) rows[filled++] = at;
  const weights = isBinary ? undefined : Float64Array.from(rows, (at) => values[at] as number);
  let total = 0;
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    let mean = 0;
    for (let at = from; at < to; at++) mean += (values[at] as number) / (to - from);
    for (let at = from; at < to; at++) total += ((values[at] as number) - mean) ** 2;
  }
  return { feature, rows, weights, spread: values.length === 0 ? 0 : Math.sqrt(total / values.length) };
}

/** Correlate a feature with centred rewards within tasks: -1 to 1, and 0 where either does not vary. */
export function rho({ rows, weights, spread }: Ready, centred: Float64Array, rewardSpread: number): number {
  if (spread < 1e-12 || rewardSpread < 1e-12) return 0;
  let sum = 0;
  if (weights === undefined) for (let k = 0; k < rows.length; k++) sum += centred[rows[k] as number] as number;
  else for (let k = 0; k < rows.length; k++) sum += (weights[k] as number) * (centred[rows[k] as number] as number);
  return sum / (centred.length * spread * rewardSpread);
}

/** Correlate two features with each other within tasks. */
export function rhoBetween(a: Ready, b: Ready, { starts, rows }: Graded): number {
  if (a.spread < 1e-12 || b.spread < 1e-12) return 0;
  const [x, y] = [a.feature.values, b.feature.values];
  let total = 0;
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    let [sumX, sumY, sumXY] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      sumX += x[at] as number;
      sumY += y[at] as number;
      sumXY += (x[at] as number) * (y[at] as number);
    }
    total += sumXY - (sumX * sumY) / (to - from);
  }
  return total / (rows.length * a.spread * b.spread);
}
