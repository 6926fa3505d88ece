import { failureWords } from '../judges/failure-words.ts';
import type { Row } from '../rows/row.ts';
import { visible } from '../text/visible.ts';

interface StatusCount {
  readonly rows: number;
  /** What the first row of the status said went wrong. */
  readonly error?: string;
}

/** Count graded rows by what became of their verdict, and keep the first error of each kind. */
export function statusCounts() {
  const counts = new Map<string, StatusCount>();
  return {
    add(row: Row): void {
      const status = row.judge_status ?? 'ok';
      const { rows = 0, error = errorOf(row) } = counts.get(status) ?? {};
      counts.set(status, { rows: rows + 1, ...(error !== undefined && { error }) });
    },
    end: (): Readonly<Record<string, StatusCount>> => Object.fromEntries(counts),
  };
}

function errorOf(row: Row): string | undefined {
  const said = failureWords(row);
  return said === undefined ? undefined : visible(said);
}

/** The first error of a run in which not one row got a verdict; undefined when one did. */
export const firstFailure = (statuses: Readonly<Record<string, StatusCount>>): string | undefined =>
  statuses['ok'] === undefined ? Object.values(statuses).find(({ error }) => error !== undefined)?.error : undefined;
