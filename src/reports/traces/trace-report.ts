import { isObject, type JsonObject } from '../../core/json-object.ts';
import { type Axes, axesOf } from '../../grid/axes.ts';
import { latestRevisions } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import type { Tool } from '../../rows/tool.ts';
import { traceRow } from '../../rows/trace-row.ts';
import { foldText } from '../../text/fold.ts';
import { aimed } from './dimensions-from-traces.ts';
import { mineTraces, type ToolCount, type TraceProfile } from './mine-traces.ts';
import { traceLabel } from './trace-label.ts';

/** What traces hold, and with the agent's tools, what they would aim the next batch at. */
export interface TraceReport {
  readonly traces: number;
  /** Entries that are no trace: no object, or neither an ask nor a step. */
  readonly dropped: number;
  /** Rows that a later revision of their trace replaces or takes back, where there are some. */
  readonly superseded?: number;
  /** Distinct prompts, case and white space folded. */
  readonly unique_prompts: number;
  readonly tools_observed: Readonly<Record<string, ToolCount>>;
  readonly faults_observed: Readonly<Record<string, number>>;
  readonly world_states_observed: Readonly<Record<string, number>>;
  readonly distinct_behaviors: number;
  readonly graded: number;
  readonly passes: number;
  readonly fails: number;
  readonly ungraded: number;
  /** Rows that only an advisory judge labelled. */
  readonly advisory_labels: number;
  /** With tools: by axis, the values that moved forward or gained share; clean values are left out. */
  readonly emphasis?: Readonly<Record<string, readonly string[]>>;
  /** With tools: tools that were called and are not declared. */
  readonly foreign_tools?: readonly string[];
}

/** The agent the traces came from, as far as it is known. */
export interface TracedAgent {
  readonly tools?: readonly Tool[];
  readonly policy?: string;
}

/**
 * Report what traces hold: how many, how graded, which tools, faults and states.
 *
 * @source house rule
 */
export function traceReport(traces: readonly unknown[], { tools, policy = '' }: TracedAgent = {}): TraceReport {
  const given = traces.filter(isObject);
  const latest = latestRevisions(given); // before what is no trace goes: what takes one back says nothing else
  const rows: readonly Row[] = latest.map(traceRow).filter((row) => row !== undefined);
  const superseded = given.length - latest.length;
  const profile = mineTraces(rows);
  const labels = rows.flatMap((row) => traceLabel(row) ?? []);
  const graded = labels.filter(({ isAdvisory }) => !isAdvisory);
  const passes = graded.filter(({ label }) => label === 1).length;
  return {
    traces: rows.length,
    dropped: traces.length - superseded - rows.length,
    ...(superseded > 0 ? { superseded } : {}),
    unique_prompts: new Set(profile.asks.map(foldText)).size,
    tools_observed: profile.tools,
    faults_observed: profile.faults,
    world_states_observed: profile.world_states,
    distinct_behaviors: profile.unique_behaviors,
    graded: graded.length,
    passes,
    fails: graded.length - passes,
    ungraded: rows.length - labels.length,
    advisory_labels: labels.length - graded.length,
    ...(tools === undefined ? {} : aimOf(profile, tools, policy)),
  };
}

function aimOf(profile: TraceProfile, tools: readonly Tool[], policy: string): JsonObject {
  const base = axesOf(tools, policy);
  const declared = new Set(tools.map(({ name }) => name));
  const foreign = Object.keys(profile.tools)
    .filter((name) => !declared.has(name))
    .sort();
  return {
    emphasis: emphasisOf(base, aimed(profile, base, true)),
    ...(foreign.length > 0 ? { foreign_tools: foreign } : {}),
  };
}

const clean = new Set(['success', 'entity exists']);

function emphasisOf(base: Axes, aim: Axes): Readonly<Record<string, readonly string[]>> {
  const axes = (['tool', 'tool_condition', 'world_state'] as const).map((axis) => {
    const isNarrowed = aim[axis].length < base[axis].length;
    const moved = aim[axis].filter((value, n) => !clean.has(value) && (isNarrowed || n < base[axis].indexOf(value)));
    return [axis, moved] as const;
  });
  return Object.fromEntries(axes.filter(([, moved]) => moved.length > 0));
}
