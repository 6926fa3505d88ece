import { attachJudgment } from '../../../src/rows/attach-judgment.ts';
import { calibrationOf } from '../../../src/rows/calibration.ts';
import { cleanFaults } from '../../../src/rows/clean-faults.ts';
import { conversationOf } from '../../../src/rows/conversation.ts';
import { exportRow } from '../../../src/rows/export-row.ts';
import { fromRow } from '../../../src/rows/from-row.ts';
import type { Judgment } from '../../../src/rows/judgment.ts';
import { detectShape } from '../../../src/rows/row-shape.ts';
import { splitHoldout } from '../../../src/rows/split-holdout.ts';
import { toRow } from '../../../src/rows/to-row.ts';
import { traceRow } from '../../../src/rows/trace-row.ts';
import { type RowKind, validateRow } from '../../../src/rows/validate-row.ts';
import type { Adapters } from '../run-case.ts';

type Row = Readonly<Record<string, unknown>>;

/** The row, its parts, and what leaves with it. */
export const adapters: Adapters = {
  attachJudgment: ([row, judgment]: [Record<string, unknown>, Judgment]) => attachJudgment(row, judgment),
  calibrationOf: ([row]: [Row]) => calibrationOf(row),
  cleanFaults: ([plan]: [unknown]) => cleanFaults(plan),
  conversationOf: ([row]: [Row]) => conversationOf(row),
  detectShape: ([row]: [unknown]) => detectShape(row),
  exportRow: ([row]: [Row]) => exportRow(row),
  fromRow: ([row]: [unknown]) => fromRow(row),
  loadTraces: ([traces]: [readonly unknown[]]) => traces.flatMap((trace) => traceRow(trace) ?? []),
  roundTripRow: ([row]: [unknown]) => toRow(fromRow(row)),
  splitHoldout([rows]: [readonly Row[]], options: { readonly fraction: number | null }) {
    const { train, holdout } = splitHoldout(rows, options);
    return { train: train.map(({ id }) => id), holdout: holdout.map(({ id }) => id) };
  },
  validateRow: ([row]: [unknown], options: { readonly kind?: RowKind }) => validateRow(row, options),
};
