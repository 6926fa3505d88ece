import { adaptivePlan, allocatorSlotCounts } from '../../../src/grid/adaptive-plan.ts';
import { axisNames } from '../../../src/grid/axes.ts';
import * as mutate from '../../../src/grid/mutate.ts';
import { pairwiseCoverage } from '../../../src/grid/pairwise-coverage.ts';
import { gridPlan } from '../../../src/grid/plan.ts';
import { policySections } from '../../../src/grid/policy-sections.ts';
import { axisStarvationBoost, regionWeight } from '../../../src/grid/region-weight.ts';
import { flipToSuccess, planSituations } from '../../../src/grid/situations.ts';
import { behaviorTier, mixItemsByTier } from '../../../src/grid/tiers.ts';
import { resolveTopology } from '../../../src/grid/topology.ts';
import { splitUserTurns } from '../../../src/grid/wording/user-turns.ts';
import { toolsFrom } from '../../../src/rows/tool.ts';
import { cosine, hashEmbed } from '../../../src/text/hash-embed.ts';
import type { Adapters } from '../run-case.ts';

interface Agent {
  readonly tools: unknown;
  readonly system_prompt?: string | null;
  readonly dimensions?: Readonly<Record<string, readonly string[]>>;
}

const mutated = (by: mutate.Mutator) => (input: [string, never?]) =>
  by === mutate.crossover ? by(input[0], 0, input[1]) : by(input[0], input[1]);

/** The axes, the grid and what is drawn from it. */
export const adapters: Adapters = {
  policySections: ([policy]: [string], { cap }: { cap?: number }) => policySections(policy, cap),
  resolveTopology: (_input, options) => resolveTopology(options),
  adaptivePlan: (_input, options) => adaptivePlan(options),
  allocatorSlotCounts: ({ take, plan }: { take: number; plan: Parameters<typeof allocatorSlotCounts>[1] }) =>
    allocatorSlotCounts(take, plan),
  behaviorTier: ({ stance }: { stance: string | null }) => behaviorTier(stance),
  mixItemsByTier: ({ items, n }: { items: { id: string; tier: string }[]; n: number }, options) =>
    mixItemsByTier(items, n, options).map(({ id }) => id),
  regionWeight: ({ assignment }: { assignment: Parameters<typeof regionWeight>[0] }, options) =>
    regionWeight(assignment, options),
  axisStarvationBoost: (input: {
    assignment: Record<string, unknown>;
    axis_counts: Record<string, Record<string, number>>;
  }) => axisStarvationBoost(input.assignment, input.axis_counts),
  pairwiseCoverage: ({ planned, observed }: { planned: unknown[]; observed: unknown[] }) =>
    pairwiseCoverage(planned, observed),
  'hashEmbed.cosine': ({ a, b }: { a: string; b: string }) => cosine(hashEmbed(a), hashEmbed(b)),
  splitUserTurns: ({ message }: { message: string }) => splitUserTurns(message),
  'mutate.truncate': mutated(mutate.truncate),
  'mutate.crossover': mutated(mutate.crossover),
  'mutate.reverseSentences': mutated(mutate.reverseSentences),
  'mutate.duplicateRequest': mutated(mutate.duplicateRequest),
  'mutate.punctuationFree': mutated(mutate.punctuationFree),
  'mutate.tokenDelete': mutated(mutate.tokenDelete),
  'mutate.tokenSwap': mutated(mutate.tokenSwap),
  'mutate.typoTranspose': mutated(mutate.typoTranspose),
  gridPlan({ tools, system_prompt, dimensions }: Agent) {
    const plan = gridPlan(toolsFrom(tools), system_prompt ?? '', { dimensions });
    const ids = planSituations(plan, { mode: 'rl', faultRate: 1 }).situations.map(({ scenario_id }) => scenario_id);
    const kept = flipToSuccess(plan.cells).map(({ tool_condition }) => tool_condition);
    return {
      dimensions: plan.axes,
      axis_sizes: Object.fromEntries(axisNames.map((axis) => [axis, plan.axes[axis].length])),
      rule_free_cells: plan.rule_free_cells,
      cells_per_rule: plan.cells_per_rule,
      rules_on_grid: plan.cells_per_rule === 0 ? 0 : plan.axes.rule.length,
      cells: plan.cells.length,
      full_pairs: plan.pairs_full,
      rule_free_lower_bound: plan.rule_free_lower_bound,
      all_ids_unique: ids.length === plan.cells.length,
      every_fault_kind_kept_in_explore: [...new Set(kept)].filter((condition) => condition !== 'success').sort(),
    };
  },
  'scenarioIds.diff': (
    { tools, before_policy, after_policy }: { tools: unknown; before_policy: string; after_policy: string },
    { mode }: { mode?: string },
  ) => {
    const idsOf = (policy: string) => {
      const plan = gridPlan(toolsFrom(tools), policy);
      const { situations } = planSituations(plan, { mode: resolveTopology({ mode }).mode, faultRate: 1 });
      return new Set(situations.map(({ scenario_id }) => scenario_id));
    };
    const [before, after] = [idsOf(before_policy), idsOf(after_policy)];
    const kept = [...before].filter((id) => after.has(id)).length;
    return { before: before.size, after: after.size, kept, lost: before.size - kept, added: after.size - kept };
  },
};
