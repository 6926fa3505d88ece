import { z } from 'zod';
import { faultPlanSchema } from './ask.ts';

/** One cell of the coverage grid: a value on each of the six axes. Loose: a cell of a wider grid keeps its axes. */
export const cellSchema = z.looseObject({
  /** A declared tool, `unrelated` or `multi_tool`. */
  tool: z.string(),
  /** A clause of the policy, or `unspecified`. */
  rule: z.string(),
  stance: z.string(),
  world_state: z.string(),
  tool_condition: z.string(),
  history: z.string(),
});

/** What an agent is put before, with nothing said of who asks and in which words. */
export const situationSchema = z.looseObject({
  /** A hash of the cell alone: never of seed, order or wording. */
  scenario_id: z.string(),
  /** The cell; the name is the row's. */
  scenario_dimensions: cellSchema,
  /** How hard it is: ordinary, ambiguous, boundary or adversarial. */
  tier: z.string(),
  /** What the tools of this situation do wrong, if anything. */
  faults: faultPlanSchema.nullish(),
});

export type Cell = Readonly<z.output<typeof cellSchema>>;
export type Situation = Readonly<z.output<typeof situationSchema>>;
