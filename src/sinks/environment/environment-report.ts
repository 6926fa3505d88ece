import type { TaskReport } from '../../reports/export/build-tasks.ts';

/** What an exported environment holds, and what is to be known of it. */
export interface EnvironmentReport extends TaskReport {
  readonly name: string;
  readonly reward: string;
  readonly execute: string | null;
  /** Tasks whose outcome the checklist can check; null with a reward of one's own. */
  readonly outcome_checkable: number | null;
  readonly path: string;
  /** Files of the package, relative to its folder. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
}
