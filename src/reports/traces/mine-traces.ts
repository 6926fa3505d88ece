import { isObject, type JsonObject } from '../../core/json-object.ts';
import { behaviorSignature } from '../../rows/behavior-signature.ts';
import { callsMade } from '../../rows/calls-made.ts';
import { latestRevisions } from '../../rows/revision.ts';
import { faultOfResult, traceFault } from '../../rows/trace-fault.ts';
import { traceLabel } from './trace-label.ts';

/** How often a tool was called, and how often it answered with a fault. */
export interface ToolCount {
  readonly n: number;
  readonly fault_n: number;
}

/** What traces show of an agent at work. */
export interface TraceProfile {
  readonly n: number;
  readonly tools: Readonly<Record<string, ToolCount>>;
  /** First fault of each row that has one. */
  readonly faults: Readonly<Record<string, number>>;
  readonly world_states: Readonly<Record<string, number>>;
  /** Distinct behaviours: what was called, where the arguments came from, what came back, how the reply reads. */
  readonly unique_behaviors: number;
  /** Places, in the list given, of rows with a fault or a label of 0. */
  readonly flaw_rows: readonly number[];
  /** Distinct prompts, trimmed, in first-seen order. */
  readonly asks: readonly string[];
}

const noFault = 'no fault';
const unknownStates = new Set(['', 'unspecified', 'unknown']);

/**
 * Mine traces for what their agent does: tools, faults, states, behaviours, asks. Of a trace that is told again only the
 * highest revision counts. Memory: a pointer a row, one entry for each distinct name and prompt.
 *
 * @source house rule
 */
export function mineTraces(rows: readonly unknown[]): TraceProfile {
  const tools = new Map<string, { n: number; fault_n: number }>();
  const faults = new Map<string, number>();
  const states = new Map<string, number>();
  const behaviors = new Set<string>();
  const asks = new Set<string>();
  const flawRows: number[] = [];
  const latest = new Set(latestRevisions(rows.filter(isObject)));
  const counted = [...rows.entries()].flatMap(([at, row]) => (isObject(row) && latest.has(row) ? [{ at, row }] : []));
  for (const { at, row } of counted) {
    countTools(row, tools);
    const fault = traceFault(row);
    if (fault !== noFault) add(faults, fault);
    const state = typeof row['world_state'] === 'string' ? row['world_state'] : '';
    if (!unknownStates.has(state)) add(states, state);
    behaviors.add(behaviorSignature(row));
    const ask = typeof row['prompt'] === 'string' ? row['prompt'].trim() : '';
    if (ask !== '') asks.add(ask);
    if (isFlaw(row)) flawRows.push(at);
  }
  return {
    n: counted.length,
    tools: Object.fromEntries(tools),
    faults: Object.fromEntries(faults),
    world_states: Object.fromEntries(states),
    unique_behaviors: behaviors.size,
    flaw_rows: flawRows,
    asks: [...asks],
  };
}

/** Say whether a row shows a flaw: a tool fault, or a label of 0. */
export const isFlaw = (row: JsonObject): boolean => traceFault(row) !== noFault || traceLabel(row)?.label === 0;

/** Give the rows with a flaw themselves. What is no row is passed over. */
export function flawRows(rows: readonly unknown[]): JsonObject[] {
  return latestRevisions(rows.filter(isObject)).filter(isFlaw);
}

function countTools(row: JsonObject, tools: Map<string, { n: number; fault_n: number }>): void {
  for (const { tool, result } of callsMade(row)) {
    const count = tools.get(tool) ?? { n: 0, fault_n: 0 };
    count.n++;
    if (result !== undefined && faultOfResult(result) !== undefined) count.fault_n++;
    tools.set(tool, count);
  }
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
