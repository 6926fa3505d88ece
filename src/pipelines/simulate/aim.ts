import { axesOf, type Dimensions } from '../../grid/axes.ts';
import { aimed } from '../../reports/traces/dimensions-from-traces.ts';
import { mineTraces } from '../../reports/traces/mine-traces.ts';
import type { Row } from '../../rows/row.ts';
import type { Tool } from '../../rows/tool.ts';
import { cosine, hashEmbed } from '../../text/hash-embed.ts';

/** How traces aim a run. */
export interface Aim {
  readonly dimensions: Dimensions;
  /** Faults were seen: the grid keeps its own. */
  readonly observedFaults: boolean;
  /** Says whether a text is a near copy of a source. Cost: the distinct prompts of the traces. */
  readonly isSource: (text: string) => boolean;
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
  const { tool, tool_condition, world_state } = aimed(profile, axesOf(tools, policy), strategy === 'trace');
  const focused = { tool, tool_condition, world_state };
  const texts = new Set(profile.asks);
  const vectors = profile.asks.map((ask) => hashEmbed(ask));
  return {
    dimensions: focused,
    observedFaults: Object.keys(profile.faults).length > 0,
    isSource(text) {
      if (texts.has(text.trim())) return true;
      const vector = hashEmbed(text);
      return vectors.some((source) => cosine(source, vector) >= nearCopy);
    },
    report: {
      mining: {
        n_traces: profile.n,
        n_flaw_rows: profile.flaw_rows.length,
        faults: profile.faults,
        tools: profile.tools,
      },
      strategy,
      focused,
    },
  };
}
