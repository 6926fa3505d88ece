import { draw } from '../core/draws.ts';
import type { FaultPlan } from '../rows/ask.ts';
import type { Cell, Situation } from '../rows/situation.ts';
import { unspecified } from './axes.ts';
import { countPairs } from './pairwise-coverage.ts';
import { type GridPlan, scenarioId } from './plan.ts';
import { behaviorTier } from './tiers.ts';
import type { Mode } from './topology.ts';

export interface SituationOptions {
  readonly mode?: Mode | undefined;
  /** Share of the fault cells that keep their fault, 0 to 1. Default 0.5; 0.8 in mode rl. */
  readonly faultRate?: number | undefined;
  /** Faults were seen in production: keep the planned ones. */
  readonly observedFaults?: boolean | undefined;
}

export interface SituationPlan {
  readonly situations: readonly Situation[];
  /** Pairs that these situations hold; fewer than `pairs_full` where faults were taken away. */
  readonly pairs_planned: number;
  readonly pairs_full: number;
}

/**
 * Turn planned cells into situations: decide which fault cells keep their fault, name each by what it then is, and drop
 * those that became equal. Each cell decides for itself, whatever stands around it and whatever the seed.
 *
 * @source house rule
 */
export function planSituations(plan: GridPlan, options: SituationOptions = {}): SituationPlan {
  const { mode = 'explore', faultRate = mode === 'rl' ? 0.8 : 0.5 } = options;
  const flipped = mode === 'rl' || options.observedFaults ? plan.cells : flipToSuccess(plan.cells);
  const cells = dropFaults(flipped, faultRate);
  const byId = new Map<string, Situation>();
  for (const cell of cells) {
    const scenario_id = scenarioId(cell);
    if (!byId.has(scenario_id)) byId.set(scenario_id, situationOf(cell, scenario_id, plan));
  }
  const situations = [...byId.values()];
  return {
    situations,
    pairs_planned: countPairs(situations.map(({ scenario_dimensions }) => scenario_dimensions)),
    pairs_full: plan.pairs_full,
  };
}

/** Share of the fault cells that the success flip leaves. */
export const keptByChance = 0.1;

/**
 * Let most fault cells succeed, as most calls do: of each kind the first by content stays, and a tenth of the others.
 * Cells without a rule come first, so that no edit of the policy moves the choice.
 */
export function flipToSuccess(cells: readonly Cell[]): readonly Cell[] {
  const first = firstOfKind(cells);
  return cells.map((cell) =>
    cell.tool_condition === 'success' || first.has(cell) || draw('success flip', scenarioId(cell)) < keptByChance
      ? cell
      : { ...cell, tool_condition: 'success' },
  );
}

/** Take the fault from all but `rate` of the fault cells; one of each kind keeps it unless the rate is 0. */
function dropFaults(cells: readonly Cell[], rate: number): readonly Cell[] {
  const first = rate > 0 ? firstOfKind(cells) : new Set<Cell>();
  return cells.map((cell) =>
    cell.tool_condition === 'success' || first.has(cell) || draw('fault rate', scenarioId(cell)) < rate
      ? cell
      : { ...cell, tool_condition: 'success' },
  );
}

function firstOfKind(cells: readonly Cell[]): ReadonlySet<Cell> {
  const first = new Map<string, { readonly cell: Cell; readonly order: string }>();
  for (const cell of cells) {
    const order = `${cell.rule === unspecified ? 0 : 1}${scenarioId(cell)}`;
    const known = first.get(cell.tool_condition);
    if (!known || order < known.order) first.set(cell.tool_condition, { cell, order });
  }
  return new Set([...first.values()].map(({ cell }) => cell));
}

/** What the world does under each tool condition. */
const modeOfCondition: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  malformed_result: 'malformed',
  stale_result: 'stale',
  permission_denied: 'permission_denied',
};

/** Make the situation of a cell: how hard it is and what its tools do wrong. */
export function situationOf(cell: Cell, scenario_id: string, { axes }: GridPlan): Situation {
  const faults = faultPlan(cell, axes.tool);
  const tier = behaviorTier(cell.stance);
  return { scenario_id, scenario_dimensions: cell, tier, ...(faults && { faults }) };
}

/** Plan the fault on the tool of the cell, so that the agent can still repair with the others. */
export function faultPlan(cell: Cell, toolAxis: readonly string[]): FaultPlan | undefined {
  const mode = modeOfCondition[cell.tool_condition];
  if (mode === undefined) return undefined;
  const tools = toolAxis.filter((tool) => tool !== 'unrelated' && tool !== 'multi_tool');
  const one =
    cell.tool === 'multi_tool' ? tools[Math.floor(draw('faulty tool', scenarioId(cell)) * tools.length)] : cell.tool;
  return { [one === undefined || !tools.includes(one) ? '*' : one]: { mode, rate: 1 } };
}
