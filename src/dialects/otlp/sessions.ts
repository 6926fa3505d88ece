import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import { untracked } from '../../core/receipt.ts';
import { createSessionStore, sessionOptions } from '../../core/session-store.ts';
import type { Row } from '../../rows/row.ts';
import { sessionRows } from './session-rows.ts';
import { type SpanRecord, sessionKeys } from './span-record.ts';

const options = z.strictObject(sessionOptions);

/** Spans on their way to rows. Times are milliseconds of the caller's clock and never go back. */
export interface SessionAssembly {
  /** Take one span or log record as it was decoded. Gives the rows of sessions that closed for it. */
  add(record: SpanRecord, now: number): readonly Row[];
  /** Close what was idle for long enough. */
  tick(now: number): readonly Row[];
  /** Close everything: the stream ended. */
  end(): readonly Row[];
  /** For metrics: open sessions, records held, copies dropped. */
  counts(): { readonly open: number; readonly spans: number; readonly duplicates: number };
}

/** Assemble spans into rows without a stream: the rule of the operator `sessions`, driven by hand. */
export function assembleSessions(config: z.input<typeof options> = {}): SessionAssembly {
  const limits = parseOptions('assembleSessions', options, config);
  const told: Row[] = [];
  let duplicates = 0;
  const store = createSessionStore(sessionKeys, limits, {
    close({ pieces, isLate }) {
      const before = pieces.filter(({ isTold }) => isTold);
      const all = [...before, ...pieces.filter(({ isTold }) => !isTold)].map(({ row }) => row);
      told.push(...sessionRows(all, { told: before.length, isLate }));
    },
    count: (what) => {
      if (what === 'duplicate') duplicates++;
    },
  });
  const rows = (): readonly Row[] => told.splice(0);
  return {
    add(row, now) {
      store.add({ row, receipt: untracked }, now);
      return rows();
    },
    tick(now) {
      store.tick(now);
      return rows();
    },
    end() {
      store.end();
      return rows();
    },
    counts() {
      const { open_sessions, parked_rows } = store.figures();
      return { open: open_sessions, spans: parked_rows, duplicates };
    },
  };
}
