import type { Isolation, Protection } from '../code/cage.ts';
import type { Cells } from './same-result.ts';

/** Two queries over one database, which is made before and gone after. */
export interface SqlJob {
  readonly setup: string;
  /** The gold query, which runs first. */
  readonly gold: string;
  readonly candidate: string;
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly memMb: number;
}
export interface SqlOutcome {
  /** `broken` is a setup or a gold query that does not run, `unavailable` a database that cannot be asked. */
  readonly status: 'ran' | 'failed' | 'timeout' | 'too_many' | 'broken' | 'unavailable';
  readonly gold?: readonly Cells[];
  readonly got?: readonly Cells[];
  /** What the database said. */
  readonly error?: string;
  readonly isolation: Isolation;
  readonly missing: readonly Protection[];
}
