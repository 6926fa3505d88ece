import { z } from 'zod';
import { repeatPolicies } from '../grid/topology.ts';

/** The options of `simulate` that are data; who plays and who judges are ports. */
export const simulateOptions = z.strictObject({
  tools: z.unknown().describe('Tools of the agent, in any common form.'),
  systemPrompt: z.string().default('').describe('Its policy; every clause becomes a block of the grid.'),
  mode: z
    .string()
    .default('explore')
    .describe('What the run is for: explore (one rollout a situation), sft, rl (groups of rollouts) or adaptive.'),
  budget: z.int().min(0).default(1000).describe('Rows at most; whole groups of rollouts.'),
  situations: z.int().min(1).optional().describe('Situations at most; without it as many as the budget pays for.'),
  phrasings: z.int().min(1).optional().describe('Wordings of each situation (n); from the mode by default.'),
  repeats: z.int().min(1).optional().describe('Rollouts of each wording (k); from the mode by default.'),
  repeatPolicy: z
    .enum(repeatPolicies)
    .optional()
    .describe('When a wording is played again. Every wording gets its k rollouts at once as yet: fixed.'),
  seed: z.int().default(0).describe('The same seed and agent give the same tasks and rows, at any concurrency.'),
  faultRate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the fault cells that keep their fault: 0.5, in rl 0.8.'),
  hardShare: z.number().min(0).max(1).default(0.4).describe('Share of ambiguous, boundary and adversarial situations.'),
  dimensions: z.record(z.string(), z.array(z.string())).optional().describe('Axes of your own, by name.'),
  grid: z.enum(['stable', 'compact']).default('stable').describe('stable keeps ids when the policy is edited.'),
  concurrency: z.int().min(1).default(32).describe('Rollouts at the same time, and calls of the judge.'),
  timeoutMs: z.int().min(1).default(300_000).describe('A rollout or verdict that takes longer is given up, in ms.'),
  maxTries: z.int().min(1).default(1).describe('Times an ask is played before it is given up as unusable.'),
  runs: z.int().min(1).default(1).describe('With tasks: how often the whole set is played.'),
});
