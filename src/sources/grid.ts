import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import { pull, type Source } from '../core/source.ts';
import { type PlannedStream, situationStream } from '../grid/situation-stream.ts';
import { modes } from '../grid/topology.ts';
import type { Situation } from '../rows/situation.ts';
import { toolsFrom } from '../rows/tool.ts';

const options = z.strictObject({
  tools: z.unknown().describe('Tools of the agent, in any common form.'),
  systemPrompt: z.string().default('').describe('Its policy; every clause becomes a block of the grid.'),
  mode: z.enum(modes).default('explore').describe('What the run is for: in rl most fault cells keep their fault.'),
  situations: z.int().min(1).optional().describe('How many situations; without it the planned grid, once.'),
  dimensions: z.record(z.string(), z.array(z.string())).optional().describe('Axes of your own, by name.'),
  faultRate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the fault cells that keep their fault: 0.5, in rl 0.8.'),
  hardShare: z.number().min(0).max(1).default(0.4).describe('Share of ambiguous, boundary and adversarial situations.'),
  grid: z
    .enum(['stable', 'compact'])
    .default('stable')
    .describe('stable keeps ids when the policy is edited; compact needs fewer cells.'),
  seed: z.int().default(0).describe('Seed of the order; the situations do not depend on it.'),
});

/**
 * Give the situations of an agent's coverage grid, those that show most pairs of axis values first.
 * Memory: the planned cells and the ids of those given beyond them.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, or `tools` is no tool list
 * @source Kuhn, Wallace, Gallo (IEEE TSE 2004)
 */
export function gridSource(config: z.input<typeof options>): Source<Situation> {
  const planned = plannedGrid(config);
  return pull({ [Symbol.iterator]: () => planned.stream() });
}

/** Plan the situations that `gridSource` gives, for a report of what is planned. */
export function plannedGrid(config: z.input<typeof options>): PlannedStream {
  const { tools, systemPrompt, ...rest } = parseOptions('grid', options, config);
  return situationStream(toolsFrom(tools), systemPrompt, rest);
}
