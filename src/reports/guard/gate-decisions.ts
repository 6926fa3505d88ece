import type { JsonObject } from '../../core/json-object.ts';
import type { GateDecision } from '../../rows/decision.ts';
import { placeOf } from '../../rows/split-holdout.ts';
import { taskKey } from '../../rows/task-key.ts';
import { byTask } from '../select/task-rates.ts';
import { decontaminate } from './decontaminate/index.ts';
import { quotesPrivileged } from './leak-report.ts';
import type { publishGate } from './publish-gate.ts';

type GateReport = ReturnType<typeof publishGate>['report'];

/** What the gate of a set said of one row: what it asked of the row alone, then what it asked of the set. */
export interface RowVerdict {
  readonly reason: string | undefined;
  readonly gates: readonly GateDecision[];
}

/**
 * Tell of each row what the gate of its set said. Of a refused set no row is published: those at fault are named by their
 * own fault, all others by `set_refused`.
 *
 * Cost: contamination is measured once more where the gate found some.
 */
export function gateDecisions(
  rows: readonly JsonObject[],
  report: GateReport,
  { against = [], holdout = 0 }: { readonly against?: readonly JsonObject[]; readonly holdout?: number },
): (row: JsonObject) => RowVerdict {
  const found = (report.contamination?.n_contaminated ?? 0) > 0 ? decontaminate(rows, against).rejected : [];
  const rules = new Map<JsonObject, string>(found.map(({ row, reason }) => [row, reason]));
  const sizes = byTask(rows);
  const { refusal, hack_scan, signal } = report;
  const numbers = {
    n: report.n,
    n_mixed: signal.n_mixed,
    n_in_band: signal.n_in_band,
    ...(hack_scan ? { regime: hack_scan.regime, rho_max: hack_scan.rho_max, tau: hack_scan.tau } : {}),
  };
  return (row) => {
    const isLeak = quotesPrivileged(row);
    const rule = rules.get(row);
    const own = isLeak ? 'privileged_leak' : rule === undefined ? undefined : 'contaminated';
    const reason = own ?? (refusal ? 'set_refused' : undefined);
    const gates: GateDecision[] = [
      {
        gate: 'split',
        passed: true,
        numbers: { place: placeOf(taskKey(row)), holdout, task_rows: sizes.get(taskKey(row))?.length ?? 0 },
      },
      { gate: 'answer_key', passed: !isLeak, ...(isLeak && { reason: 'privileged_leak' }) },
      {
        gate: 'evaluation',
        passed: rule === undefined,
        ...(rule !== undefined && { reason: rule }),
        numbers: { n_contaminated: report.contamination?.n_contaminated ?? null, n_eval_rows: against.length },
      },
      { gate: 'set', passed: !refusal, ...(refusal && { reason: refusal.code }), numbers },
    ];
    return { reason, gates };
  };
}
