import { isObject, type JsonObject } from '../core/json-object.ts';
import type { Rejection } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { decisionOf, decisionsPath, type GateDecision } from '../rows/decision.ts';
import type { Row } from '../rows/row.ts';
import { type DecisionLog, decisionLog } from '../sinks/decision-log.ts';

type GatesOf = (row: JsonObject, reason?: string) => readonly GateDecision[];

/** Writes down what a command decides of each row, beside the file it writes. */
export interface Decider {
  readonly log: DecisionLog;
  /** The same sink; what it stores is kept. */
  keeping(sink: Sink<Row>, by: string): Sink<Row>;
  /** These rows are left out. */
  left(rejections: readonly Rejection<unknown>[]): Promise<void>;
}

/** Decide for one command about one file. Nothing is written down for the standard output. */
export function decider(step: string, out: string, gatesOf?: GatesOf): Decider | undefined {
  if (out === '-') return undefined;
  const log = decisionLog(decisionsPath(out));
  let line = 1;
  let stored: readonly Row[] | undefined; // a batch that comes again because it was not decided is not written twice
  return {
    log,
    keeping: (sink, by) => ({
      ...sink,
      async write(rows, origins) {
        if (stored !== rows) await sink.write(rows, origins);
        stored = rows;
        const said = { step, by, decision: 'kept', file: out } as const;
        await log.add(
          rows.map((row, n) =>
            decisionOf(row, { ...said, line: line + n, gates: gatesOf?.(row) ?? [{ gate: by, passed: true }] }),
          ),
        );
        line += rows.length;
      },
    }),
    left: (rejections) =>
      log.add(
        rejections.flatMap(({ row, by, reason }) =>
          isObject(row)
            ? [decisionOf(row, { step, by, decision: 'left', reason, gates: leftGates(row, by, reason, gatesOf) })]
            : [],
        ),
      ),
  };
}

/** What no gate of the rule says, the operator said. */
function leftGates(row: JsonObject, by: string, reason: string, gatesOf?: GatesOf): readonly GateDecision[] {
  const met = gatesOf?.(row, reason) ?? [];
  return met.at(-1)?.passed === false ? met : [{ gate: by, passed: false, reason }];
}
