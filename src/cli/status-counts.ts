import { failureWords } from '../judges/failure-words.ts';
import type { Row } from '../rows/row.ts';
import { visible } from '../text/visible.ts';

export interface StatusCount {
  readonly rows: number;
  /** What the first row of the status said went wrong. */
  readonly error?: string;
}

/** Rows without a verdict at the start of a run that are worth a word while it goes on. */
const earlyRows = 8;

/**
 * Count graded rows by what became of their verdict, and keep the first error of each kind. When the first eight have none,
 * it is said at once: whoever named a wrong host need not wait for the end.
 */
export function statusCounts(say: (line: string) => void) {
  const counts = new Map<string, StatusCount>();
  let seen = 0;
  return {
    add(row: Row): void {
      const status = row.judge_status ?? 'ok';
      const { rows = 0, error = errorOf(row) } = counts.get(status) ?? {};
      counts.set(status, { rows: rows + 1, ...(error !== undefined && { error }) });
      if (++seen === earlyRows && !counts.has('ok'))
        say(`Warning: no verdict in the first ${seen} rows. First error: ${error}`);
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
