import type { TracemillError } from '../../core/errors.ts';

/** What a set says once its last row is known. */
export interface FinishedSet<Entry, Report> {
  /** Why the set must not be written; undefined when it may. */
  readonly refusal: TracemillError | undefined;
  readonly report: Report;
  /** The lines of the file that an entry gives, each with its end. */
  readonly linesOf: (entry: Entry) => readonly string[];
  /** Why an entry gives none. */
  readonly leftBecause: (entry: Entry) => string | undefined;
}

/**
 * A set that is built row by row: `entry` makes of a row what is kept of it, free of answer keys and written as JSON; `add`
 * counts an entry; `end` is asked once, when all are known.
 */
export interface ExportSet<In, Entry, Report> {
  readonly entry: (row: In) => Entry;
  readonly add: (entry: Entry) => void;
  readonly end: () => FinishedSet<Entry, Report>;
}
