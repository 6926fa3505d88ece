import type { Row } from '../rows/row.ts';
import type { Situation } from '../rows/situation.ts';
import { pairwiseCoverage } from './pairwise-coverage.ts';

/** What the first rows of a run had shown. */
export interface CurvePoint {
  readonly n_rows: number;
  readonly pairs_covered: number;
  /** Of the planned pairs, four digits; null when nothing is planned. */
  readonly fraction: number | null;
  readonly unique_cells: number;
}

/** Tell how coverage rose: after 1, 2, 4, 8 ... rows, and after all. Cost: twice the rows. */
export function coverageCurve(planned: readonly Situation[], rows: readonly Row[]): readonly CurvePoint[] {
  const cells = planned.map(({ scenario_dimensions }) => scenario_dimensions);
  const points: CurvePoint[] = [];
  for (let n = 1; n < 2 * rows.length; n *= 2) {
    const first = rows.slice(0, n);
    const { pairs_covered, fraction } = pairwiseCoverage(
      cells,
      first.map((row) => row['scenario_dimensions']),
    );
    const unique_cells = new Set(first.map(({ scenario_id }) => scenario_id)).size;
    points.push({ n_rows: first.length, pairs_covered, fraction, unique_cells });
  }
  return points;
}
