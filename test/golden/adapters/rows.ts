import { cleanFaults } from '../../../src/rows/clean-faults.ts';
import { conversationOf } from '../../../src/rows/conversation.ts';
import { traceRow } from '../../../src/rows/trace-row.ts';
import type { Adapters } from '../run-case.ts';

type Row = Readonly<Record<string, unknown>>;

/** The row, its parts, and what leaves with it. */
export const adapters: Adapters = {
  cleanFaults: ([plan]: [unknown]) => cleanFaults(plan),
  conversationOf: ([row]: [Row]) => conversationOf(row),
  loadTraces: ([traces]: [readonly unknown[]]) => traces.flatMap((trace) => traceRow(trace) ?? []),
};
