import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { draw } from '../core/draws.ts';
import { axesOf } from '../grid/axes.ts';
import { situationStream } from '../grid/situation-stream.ts';
import { modes } from '../grid/topology.ts';
import { aimed } from '../reports/traces/dimensions-from-traces.ts';
import { isFlaw, mineTraces } from '../reports/traces/mine-traces.ts';
import { isRetraction } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';
import type { Situation } from '../rows/situation.ts';
import { rowKey } from '../rows/task-key.ts';
import { toolsFrom } from '../rows/tool.ts';

const options = z.strictObject({
  tools: z.unknown().describe('Tools of the agent, in any common form.'),
  systemPrompt: z.string().default('').describe('Its policy; every clause becomes a block of the grid.'),
  mode: z.enum(modes).default('rl').describe('What the run is for: in rl most fault cells keep their fault.'),
  perFailure: z.int().min(0).default(4).describe('Situations for each trace that failed or met a fault.'),
  perPass: z.int().min(0).default(0).describe('Situations for each trace that passed, or that nobody graded.'),
  seed: z.int().default(0).describe('Seed of the choice.'),
});

/** The rule alone: cells with the tools of the trace first, then those with what went wrong in it, then by chance. */
export function aimCore({ tools: given, systemPrompt, mode, perFailure, perPass, seed }: z.output<typeof options>) {
  const tools = toolsFrom(given);
  const axes = axesOf(tools, systemPrompt);
  const { situations } = situationStream(tools, systemPrompt, { mode, seed });
  return (trace: Row): readonly Situation[] => {
    if (isRetraction(trace)) return []; // nobody said anything in it
    const wanted = isFlaw(trace) ? perFailure : perPass;
    if (wanted === 0) return [];
    const profile = mineTraces([trace]);
    const { tool_condition, world_state } = aimed(profile, axes, false);
    const id = rowKey(trace);
    const rank = ({ scenario_id, scenario_dimensions: cell }: Situation): number =>
      (Object.hasOwn(profile.tools, cell.tool) ? 0 : 4) +
      (tool_condition.includes(cell.tool_condition) ? 0 : 2) +
      (world_state.includes(cell.world_state) ? 0 : 1) +
      draw(seed, 'aim', id, scenario_id);
    return situations
      .map((situation) => [rank(situation), situation] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, wanted)
      .map(([, situation]) => situation);
  };
}

/**
 * Give the situations of the agent's grid that a graded trace calls for: those with the tools it used and the conditions
 * it met. What the person wrote goes nowhere. The same trace and seed give the same situations. Cost: one pass over the
 * planned cells a trace; no more than `perFailure` rows of one.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range; when subscribed, if `tools` is no tool list
 * @source house rule
 */
export const aim = defineExpand<Row, Situation, typeof options>({
  name: 'aim',
  options,
  core: aimCore,
  example: {
    options: { tools: [{ name: 'get_order' }] },
    in: [{ prompt: 'Hi', final_text: 'Hello', reward: 1 }],
    out: [],
  },
});
