import type { OperatorCounts } from '../core/counters.ts';
import { table } from './table.ts';

/** How many rows each operator rejected, by reason. */
export interface RejectionCount {
  readonly operator: string;
  readonly reason: string;
  readonly rows: number;
}

/** The rejections of a run, most first. */
export function rejectionCounts(counts: readonly OperatorCounts[]): readonly RejectionCount[] {
  return counts
    .flatMap(({ operator, rejected }) => Object.entries(rejected).map(([reason, rows]) => ({ operator, reason, rows })))
    .sort((a, b) => b.rows - a.rows);
}

/** A table of rejections for people; one sentence when there are none. */
export function rejectionTable(rejections: readonly RejectionCount[]): string {
  if (rejections.length === 0) return 'No row was rejected.';
  return table(
    ['operator', 'reason', 'rows'],
    rejections.map(({ operator, reason, rows }) => [operator, reason, String(rows)]),
  );
}
