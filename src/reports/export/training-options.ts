import { z } from 'zod';
import { agentOptions } from './agent-of-row.ts';
import { maskModes } from './loss-mask.ts';

/** How rows become samples for supervised training. */
export const trainingOptions = agentOptions.extend({
  stripThink: z
    .boolean()
    .default(true)
    .describe("Take <think> blocks out of the agent's turns. A student that is to reason should keep them."),
  maskMode: z.enum(maskModes).default('assistant').describe("Trained turns: all of the agent's, or its last."),
  unroll: z.boolean().default(false).describe("One sample for each of the agent's turns, trained on that turn alone."),
  maxToolOutputChars: z.int().min(0).optional().describe('Longer tool output is cut and says so.'),
});

export type TrainingOptions = z.output<typeof trainingOptions>;
