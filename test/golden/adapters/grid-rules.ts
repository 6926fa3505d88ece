import {
  type AllocatorMemory,
  freshRate,
  type GroupState,
  hazardOf,
  type Label,
  labelOf,
  onRolloutLanded,
} from '../../../src/grid/allocation/allocator.ts';
import { allocateSequential } from '../../../src/grid/allocation/schedule.ts';
import {
  type ArmValues,
  capOpenEndedWeight,
  capRareArmWeight,
  completeYields,
  reallocateSearchArms,
} from '../../../src/grid/arms.ts';
import { coverageGap } from '../../../src/grid/coverage-gap.ts';
import { mutationWorthy } from '../../../src/grid/mutation-worthy.ts';
import { preflight } from '../../../src/grid/preflight.ts';
import { recommend } from '../../../src/grid/recommend.ts';
import { copiesRemaining, predictToSaturation, spaceSaturated } from '../../../src/grid/saturation.ts';
import { toolsFrom } from '../../../src/rows/tool.ts';
import type { Adapters } from '../run-case.ts';

interface GivenGroup {
  readonly k: number;
  readonly probe?: number;
  readonly labels: Label[];
  readonly scheduled: number;
  readonly truncated?: number;
  readonly state?: GroupState;
  readonly groups_probed?: number;
  readonly groups_mixed?: number;
  readonly hazard_seen?: Record<string, number>;
  readonly hazard_split?: Record<string, number>;
  readonly fresh_available?: boolean;
  readonly graded?: boolean;
}
interface Landed {
  readonly reward?: number | null;
  readonly behavior_signature?: string;
  readonly truncated?: boolean;
}
type Agent = { readonly tools: unknown; readonly system_prompt: string };

const counts = (given: Record<string, number> = {}) =>
  new Map(Object.entries(given).map(([n, count]) => [Number(n), count]));

/** Rules that decide: where the next rollout goes, when enough was seen, what to spend. */
export const adapters: Adapters = {
  'allocator.onRolloutLanded': ({ group: given, landed }: { group: GivenGroup; landed: Landed }) => {
    const settings = { k: given.k, probe: given.probe ?? 2 };
    const memory: AllocatorMemory = {
      probed: given.groups_probed ?? 0,
      mixed: given.groups_mixed ?? 0,
      seen: counts(given.hazard_seen),
      split: counts(given.hazard_split),
    };
    const group = {
      labels: [...given.labels],
      scheduled: given.scheduled,
      unlabelled: given.truncated ?? 0,
      state: given.state ?? ('probing' as const),
    };
    const label = landed.truncated ? undefined : labelOf(landed, Object.hasOwn(landed, 'reward'));
    const { queueMore, state } = onRolloutLanded(group, label, memory, settings, given.fresh_available ?? true);
    return {
      queue_more: queueMore,
      state,
      groups_probed: memory.probed,
      groups_mixed: memory.mixed,
      labels_after: group.labels,
      hazard_seen: Object.fromEntries(memory.seen),
      hazard_split: Object.fromEntries(memory.split),
      hazard_at_n: hazardOf(memory, group.labels.length + group.unlabelled),
      fresh_rate_per_rollout: freshRate(memory, settings),
    };
  },
  allocateSequential: ({ rewards }: { rewards: (number | null)[][] }, options) => allocateSequential(rewards, options),
  reallocateSearchArms: ({ weights, yields }: { weights: ArmValues; yields: ArmValues }) =>
    reallocateSearchArms(weights, yields),
  'reallocateSearchArms.repeat': (input: { weights: ArmValues; yields: ArmValues; rounds: number }) => {
    let weights = input.weights;
    for (let round = 0; round < input.rounds; round++) weights = reallocateSearchArms(weights, input.yields);
    return weights;
  },
  completeYields: ({ yields }: { yields: ArmValues }) => completeYields(yields),
  capOpenEndedWeight: ([weights]: [ArmValues]) => capOpenEndedWeight(weights),
  capRareArmWeight: ([weights]: [ArmValues]) => capRareArmWeight(weights),
  mutationWorthy: ([row]: [never]) => mutationWorthy(row),
  predictToSaturation: ([curve]: [never], options) => predictToSaturation(curve, options),
  spaceSaturated: ({
    cell_counts,
    expected_cells,
  }: {
    cell_counts: Record<string, number>;
    expected_cells: string[] | null;
  }) => spaceSaturated(cell_counts, expected_cells),
  copiesRemaining: ([cells]: [Record<string, number>]) => copiesRemaining(cells),
  recommend: ({ tools, system_prompt }: Agent, options) => recommend(toolsFrom(tools), system_prompt ?? '', options),
  preflight({ tools, system_prompt }: Agent) {
    const report = preflight(tools, system_prompt);
    return { ...report, n_warnings: report.warnings.length };
  },
  coverageGap: ({ asks, tools, system_prompt, rows }: Agent & { asks: never[]; rows?: never[] }) =>
    coverageGap(asks, toolsFrom(tools), system_prompt, rows),
};
