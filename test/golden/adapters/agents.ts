import { finishReason, hitLengthCap } from '../../../src/agents/finish-reason.ts';
import { rollUpSampling } from '../../../src/agents/roll-up-sampling.ts';
import { seededAgent } from '../../../src/agents/seeded-agent.ts';
import { splitReasoning } from '../../../src/agents/split-reasoning.ts';
import {
  agentAsked,
  defaultMaxTurns,
  observedTurnCount,
  patienceSchema,
  sampleTurnBudget,
  userTurnCap,
  walkAwayChance,
} from '../../../src/agents/turns.ts';
import { unusableReason } from '../../../src/agents/unusable-reason.ts';
import { parseBackendSpec } from '../../../src/models/backend-spec.ts';
import { expectedOutcome } from '../../../src/rows/expected-outcome.ts';
import { privilegedContext } from '../../../src/rows/privileged-context.ts';
import type { Adapters } from '../run-case.ts';

const range = (n: number) => Array.from({ length: n }, (_, index) => index);

/** How budgets fall around an average, over `keys` draws. */
function distribution(average: number, keys: number) {
  const budgets = range(keys).map((key) => sampleTurnBudget(average, [key]));
  return {
    mean: budgets.reduce((a, b) => a + b, 0) / keys,
    min: Math.min(...budgets),
    max: Math.max(...budgets),
    all_even: budgets.every((turns) => turns % 2 === 0),
    share_in_band: budgets.filter((turns) => Math.abs(turns - average) <= 2).length / keys,
  };
}

export const adapters: Adapters = {
  parseBackendSpec: ({ spec }: { spec: string }) => {
    const { baseURL, model } = parseBackendSpec(spec);
    return [baseURL, model];
  },
  unusableReason: ([rollout]: [never]) => unusableReason(rollout),
  finishReason: ([rollout]: [never]) => finishReason(rollout),
  hitLengthCap: ([rollout]: [never]) => hitLengthCap(rollout),
  rollUpSampling: ({ steps }: { steps: unknown[] }) => rollUpSampling(steps),
  splitReasoning: ({ text }: { text: string }) => splitReasoning(text),
  defaultMaxTurns: ({ context_tokens, n_tools }: { context_tokens: number; n_tools: number }) =>
    defaultMaxTurns(context_tokens, n_tools),
  userTurnCap: ({ budget }: { budget: number }) => userTurnCap(budget),
  walkAwayChance: ({ patience, questions_before }: { patience: unknown; questions_before: number }) =>
    walkAwayChance(patienceSchema.parse(patience), questions_before),
  agentAsked: ({ text }: { text: string }) => agentAsked(text),
  observedTurnCount: ({ steps }: { steps: unknown }) => observedTurnCount(steps),
  'sampleTurnBudget.distribution': ({ avg_turns, keys = 2000 }: { avg_turns: number | number[]; keys?: number }) =>
    Array.isArray(avg_turns) ? avg_turns.map((one) => distribution(one, keys)) : distribution(avg_turns, keys),
  privilegedContext: ({ scenario_dimensions, faults }: { scenario_dimensions: unknown; faults: unknown }) => {
    const { hidden_state = null, reference } = privilegedContext(scenario_dimensions, faults);
    return {
      hidden_state,
      has_reference: reference !== undefined,
      reference_expects_fault: /instead of claiming success/.test(String(reference)),
    };
  },
  expectedOutcome: ({ dims }: { dims: never[] }) => dims.map((one) => expectedOutcome(one) !== undefined),
  'seededAgent.create': ({ tools }: { tools: unknown }, options: never) => typeof seededAgent(tools, options),
};
