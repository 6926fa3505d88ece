import { expect, it } from 'vitest';
import { pairwiseCoverage } from '../../src/grid/pairwise-coverage.ts';
import { gridPlan } from '../../src/grid/plan.ts';
import { regionWeight } from '../../src/grid/region-weight.ts';
import { queueSituations } from '../../src/grid/situation-order.ts';
import { planSituations } from '../../src/grid/situations.ts';
import type { Situation } from '../../src/rows/situation.ts';
import { hotelPolicy, hotelTools } from './agents.ts';

const weight = ({ scenario_dimensions }: Situation) => regionWeight(scenario_dimensions).weight;
const planned = planSituations(gridPlan(hotelTools, hotelPolicy)).situations;
const cellsOf = (situations: readonly Situation[]) => situations.map((one) => one.scenario_dimensions);

function drain(situations: readonly Situation[], batch: number, seed: number, hardShare = 0.4): readonly Situation[] {
  const queue = queueSituations(situations, seed);
  const taken: Situation[] = [];
  while (queue.left() > 0) taken.push(...queue.take(batch, weight, hardShare));
  return taken;
}

it.each([0, 1, 2])('shows four of five planned pairs in 64 rows (seed %i)', (seed) => {
  const order = drain(planned, 10, seed);
  expect(pairwiseCoverage(cellsOf(planned), cellsOf(order.slice(0, 64))).fraction).toBeGreaterThanOrEqual(0.8);
});

it.each([0, 1, 2])('shows four of five planned pairs in 64 rows when no fault is taken away (seed %i)', (seed) => {
  const unflipped = planSituations(gridPlan(hotelTools, hotelPolicy), { mode: 'rl', faultRate: 1 }).situations;
  const order = drain(unflipped, 10, seed);
  expect(pairwiseCoverage(cellsOf(unflipped), cellsOf(order.slice(0, 64))).fraction).toBeGreaterThanOrEqual(0.8);
});

it('takes every situation once', () => {
  const ids = drain(planned, 7, 3).map(({ scenario_id }) => scenario_id);
  expect(new Set(ids).size).toBe(planned.length);
  expect(ids).toHaveLength(planned.length);
});

it('does not depend on the order in which situations were given', () => {
  const ids = (list: readonly Situation[]) => drain(list, 10, 5).map(({ scenario_id }) => scenario_id);
  expect(new Set(ids(planned.toReversed()).slice(0, 40))).toEqual(new Set(ids(planned).slice(0, 40)));
});

it.each([0, 0.4, 0.8])('draws the hard share that was asked for: %d', (hardShare) => {
  const first = drain(planned, 80, 0, hardShare).slice(0, 80);
  const hard = first.filter(({ tier }) => tier !== 'ordinary').length;
  expect(Math.abs(hard / 80 - hardShare)).toBeLessThan(0.05);
});
