import type { Tool } from '../rows/tool.ts';
import { gridPlan } from './plan.ts';
import { defaultClauseCap } from './policy-sections.ts';

export interface Recommendation {
  readonly mode: 'sft' | 'rl';
  readonly grid_cells: number;
  /** Rows to spend. */
  readonly budget: number;
  readonly optimize_target: number;
  readonly simulate_kwargs: Readonly<Record<string, unknown>>;
  /** Sentences for people. */
  readonly reasoning: readonly string[];
  readonly situations?: number;
  readonly rollouts_per_request?: number;
  readonly mixed_rate?: number;
}

const groupSize = 8;

/**
 * Recommend how much to simulate for a number of training rows: five looks at every cell for sft; for rl as many
 * groups of eight as give the target when only some are mixed.
 *
 * @source rlhfbook ch. 6 and 7; house formulas
 */
export function recommend(
  tools: readonly Tool[],
  policy: string,
  options: { readonly mode?: string | null; readonly target?: number | null; readonly mixedRate?: number | null } = {},
): Recommendation {
  const plan = gridPlan(tools, policy);
  const cells = plan.cells.length;
  const target = options.target || 800;
  const capped = plan.clauses_found > plan.axes.rule.length;
  const shared = [
    `The grid has ${cells} cells.`,
    ...(capped
      ? [`${defaultClauseCap} of ${plan.clauses_found} clauses of the policy are on it; the rest are not tried.`]
      : []),
  ];
  if ((options.mode ?? 'sft').toLowerCase() === 'sft') {
    const budget = Math.ceil(Math.max(5 * cells, 3 * target) / 100) * 100;
    return {
      mode: 'sft',
      grid_cells: cells,
      budget,
      optimize_target: target,
      simulate_kwargs: { mode: 'sft', budget, time_budget: null },
      reasoning: [...shared, `Five rows a cell and three rows for each of ${target} kept ones: ${budget} rows.`],
    };
  }
  const mixed_rate = Math.min(1, Math.max(0.02, options.mixedRate ?? 0.5));
  const situations = Math.max(2 * cells, Math.ceil(target / (groupSize * mixed_rate)));
  const budget = groupSize * situations;
  return {
    mode: 'rl',
    grid_cells: cells,
    budget,
    situations,
    rollouts_per_request: groupSize,
    mixed_rate,
    optimize_target: target,
    simulate_kwargs: { mode: 'rl', situations, budget, time_budget: null },
    reasoning: [
      ...shared,
      `${situations} situations of ${groupSize} rollouts give ${target} rows of mixed groups at a mixed rate of ${mixed_rate}.`,
    ],
  };
}
