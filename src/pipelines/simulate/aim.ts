import { axesOf, type Dimensions } from '../../grid/axes.ts';
import { aimed } from '../../reports/traces/dimensions-from-traces.ts';
import { isFlaw, mineTraces } from '../../reports/traces/mine-traces.ts';
import { openingShare } from '../../reports/traces/opening-share.ts';
import { exemplarResultShapes, mineResultExemplars } from '../../reports/traces/result-exemplars.ts';
import { callsMade } from '../../rows/calls-made.ts';
import type { Row } from '../../rows/row.ts';
import type { Cell } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import { faultOfResult } from '../../rows/trace-fault.ts';
import { cosine, hashEmbed } from '../../text/hash-embed.ts';

/** How traces aim a run. */
export interface Aim {
  readonly dimensions: Dimensions;
  /** Faults were seen: the grid keeps its own. */
  readonly observedFaults: boolean;
  /** Says whether a text is a near copy of a source. Cost: the distinct prompts of the traces. */
  readonly isSource: (text: string) => boolean;
  /** Whether a cell stands in the front half of the axes that the traces put in order. */
  readonly isFront: (cell: Cell) => boolean;
  /** How much more a cell is wanted, 1 or more: those near where the traces failed. */
  readonly boost: (cell: Cell) => number;
  /** Share of the traces in which the agent spoke first. */
  readonly openingShare: number;
  /** What results of the tools look like. */
  readonly resultShapes: Readonly<Record<string, unknown>>;
  readonly report: Readonly<Record<string, unknown>>;
}

const nearCopy = 0.9;

/** Aim a run at what its traces show; nothing of them is ever played. */
export function aimAt(
  traces: readonly Row[],
  tools: readonly Tool[],
  policy: string,
  strategy: 'trace' | 'targeted',
): Aim {
  const profile = mineTraces(traces);
  const axes = axesOf(tools, policy);
  const { tool, tool_condition, world_state } = aimed(profile, axes, strategy === 'trace');
  const focused = { tool, tool_condition, world_state };
  const texts = new Set(profile.asks);
  const vectors = profile.asks.map((ask) => hashEmbed(ask));
  const regions = hotRegions(traces);
  return {
    dimensions: focused,
    observedFaults: Object.keys(profile.faults).length > 0,
    isSource(text) {
      if (texts.has(text.trim())) return true;
      const vector = hashEmbed(text);
      return vectors.some((source) => cosine(source, vector) >= nearCopy);
    },
    isFront: frontOf(focused, regions, Object.keys(profile.faults).length > 0),
    boost: (cell) => boostOf(cell, regions),
    openingShare: openingShare(traces),
    resultShapes: exemplarResultShapes(mineResultExemplars(traces)),
    report: {
      mining: {
        n_traces: profile.n,
        n_flaw_rows: profile.flaw_rows.length,
        faults: profile.faults,
        tools: profile.tools,
      },
      strategy,
      focused,
      hot_regions: regions,
    },
  };
}

/** The steered axes are those that traces say something of: tools that fail, and conditions and states that were seen. */
function frontOf(
  { tool, tool_condition, world_state }: Record<'tool' | 'tool_condition' | 'world_state', readonly string[]>,
  regions: readonly HotRegion[],
  observed: boolean,
) {
  const failing = [...new Set(regions.map((region) => region.tool))].filter((name) => tool.includes(name));
  const half = (values: readonly string[], plain: readonly string[]) => {
    const real = values.filter((value) => !plain.includes(value));
    return new Set(real.slice(0, Math.max(1, Math.ceil(real.length / 2))));
  };
  const tools = half(failing.length > 0 ? failing : tool, ['unrelated', 'multi_tool']);
  const conditions = half(tool_condition, ['success']);
  const states = half(world_state, ['entity exists', 'unspecified', 'unknown']);
  return ({ tool: name, tool_condition: condition, world_state: state }: Cell) =>
    tools.has(name) && (!observed || conditions.has(condition) || states.has(state));
}

/** Where traces fail. */
export interface HotRegion {
  readonly tool: string;
  readonly tool_condition: string;
  /** Share of what went wrong, 0 to 1. */
  readonly share: number;
}

const conditionOf: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  error: 'timeout',
  malformed: 'malformed_result',
  stale: 'stale_result',
  deny: 'permission_denied',
};

/**
 * Where traces went wrong, the most frequent first: the tools whose calls failed, by what they failed with; in a row that
 * was judged bad though every call answered, the tools it called share the blame.
 */
function hotRegions(traces: readonly Row[]): readonly HotRegion[] {
  const counts = new Map<string, number>();
  const blame = (tool: string, condition: string, part: number) => {
    const region = JSON.stringify([tool, condition]);
    counts.set(region, (counts.get(region) ?? 0) + part);
  };
  for (const row of traces.filter(isFlaw)) {
    const calls = callsMade(row);
    const faults = calls.flatMap(({ tool, result }) => {
      const fault = faultOfResult(result);
      return fault === undefined ? [] : [[tool, conditionOf[fault] ?? 'success'] as const];
    });
    for (const [tool, condition] of faults) blame(tool, condition, 1 / faults.length);
    const called = faults.length > 0 ? new Set<string>() : new Set(calls.map(({ tool }) => tool));
    for (const tool of called) blame(tool, 'success', 1 / called.size);
  }
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([region, n]) => {
      const [tool = '', tool_condition = ''] = JSON.parse(region) as string[]; // written above
      return { tool, tool_condition, share: Math.round((1e4 * n) / total) / 1e4 };
    });
}

/** @source house weights: 1 + 4 x share x (0.6 for the tool + 0.4 for the condition) */
function boostOf(cell: Cell, regions: readonly HotRegion[]): number {
  return regions.reduce((boost, { tool, tool_condition, share }) => {
    const match = (tool === cell.tool ? 0.6 : 0) + (tool_condition === cell.tool_condition ? 0.4 : 0);
    return boost * (1 + 4 * share * match);
  }, 1);
}
