import { draw } from '../core/draws.ts';
import type { Cell, Situation } from '../rows/situation.ts';
import type { Tool } from '../rows/tool.ts';
import { type Axes, axisNames, type Dimensions, unspecified } from './axes.ts';
import { type GridLayout, type GridPlan, gridPlan, scenarioId } from './plan.ts';
import { regionWeight } from './region-weight.ts';
import { queueSituations } from './situation-order.ts';
import { keptByChance, planSituations, type SituationOptions, type SituationPlan, situationOf } from './situations.ts';

export interface StreamOptions extends SituationOptions {
  readonly seed: number;
  readonly dimensions?: Dimensions | undefined;
  readonly grid?: GridLayout | undefined;
  readonly hardShare?: number | undefined;
  /** How much more than its weight a cell is wanted. */
  readonly boost?: ((cell: Cell) => number) | undefined;
  /** How many situations; without it the planned ones and no more. */
  readonly situations?: number | undefined;
}

export interface PlannedStream extends SituationPlan {
  readonly plan: GridPlan;
  /** The situations in the order in which they are wanted. */
  readonly stream: (atMost?: number) => Generator<Situation, void, undefined>;
}

/** Situations decided at once: the tier mix is kept within each of these. */
const batch = 10;

/**
 * Lay out what an agent is put before: the planned cells by the pairs they newly show, then as many further cells
 * of the whole space as are asked for, none twice. The order depends on the seed, the situations do not.
 */
export function situationStream(tools: readonly Tool[], policy: string, options: StreamOptions): PlannedStream {
  const plan = gridPlan(tools, policy, options);
  const planned = planSituations(plan, options);
  const { situations: wanted = planned.situations.length } = options;
  return {
    ...planned,
    plan,
    stream: (atMost = wanted) => firstOf(plannedThenBeyond(plan, planned.situations, options), atMost),
  };
}

function* firstOf(situations: Iterable<Situation>, atMost: number): Generator<Situation, void, undefined> {
  let left = atMost;
  if (left <= 0) return;
  for (const one of situations) {
    yield one;
    if (--left <= 0) return; // before the next is looked for: beyond the plan that can take long
  }
}

function* plannedThenBeyond(
  plan: GridPlan,
  planned: readonly Situation[],
  options: StreamOptions,
): Generator<Situation> {
  const { mode, hardShare, seed, boost = () => 1 } = options;
  const queue = queueSituations(planned, seed);
  const own = new Map(planned.map((one) => [one, regionWeight(one.scenario_dimensions, { mode }).weight]));
  const weight = (one: Situation) => (own.get(one) ?? 0) * boost(one.scenario_dimensions);
  while (queue.left() > 0) yield* queue.take(batch, weight, hardShare);
  yield* beyondPlan(plan, planned, options);
}

const triesForNew = 2000;

/** Cells of the whole space that the plan left out, by hash; it ends when new ones can hardly be found. */
function* beyondPlan(plan: GridPlan, planned: readonly Situation[], options: StreamOptions): Generator<Situation> {
  const { mode, faultRate = mode === 'rl' ? 0.8 : 0.5, observedFaults } = options;
  const keeps = mode === 'rl' || observedFaults ? faultRate : faultRate * keptByChance;
  const known = new Set(planned.map(({ scenario_id }) => scenario_id));
  for (let n = 0, missed = 0; missed < triesForNew; n++, missed++) {
    const cell = drawnCell(plan.axes, n, keeps);
    const scenario_id = scenarioId(cell);
    if (known.has(scenario_id)) continue;
    known.add(scenario_id);
    missed = 0;
    yield situationOf(cell, scenario_id, plan);
  }
}

function drawnCell(axes: Axes, n: number, keeps: number): Cell {
  const entries = axisNames.map((axis) => {
    const values = axis === 'rule' && axes.rule[0] !== unspecified ? [unspecified, ...axes.rule] : axes[axis];
    return [axis, values[Math.floor(draw('beyond the plan', n, axis) * values.length)] ?? unspecified] as const;
  });
  const cell = Object.fromEntries(entries) as unknown as Cell; // every axis is set
  const fails = draw('beyond the plan', n, 'fault') < keeps;
  return fails || !axes.tool_condition.includes('success') ? cell : { ...cell, tool_condition: 'success' };
}
