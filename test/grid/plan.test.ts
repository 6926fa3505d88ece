import fc from 'fast-check';
import { expect, it } from 'vitest';
import { axisNames } from '../../src/grid/axes.ts';
import { countPairs } from '../../src/grid/pairwise-coverage.ts';
import { gridPlan, scenarioId } from '../../src/grid/plan.ts';
import { policySections } from '../../src/grid/policy-sections.ts';
import { flipToSuccess, planSituations } from '../../src/grid/situations.ts';
import { hotelPolicy, hotelTools, manyTools } from './agents.ts';

const idsOf = (policy: string, options = {}) =>
  new Set(
    planSituations(gridPlan(hotelTools, policy), { mode: 'rl', ...options }).situations.map((s) => s.scenario_id),
  );
const lost = (before: ReadonlySet<string>, after: ReadonlySet<string>) =>
  [...before].filter((id) => !after.has(id)).length;

it('holds every pair of values and every pair of a clause with a value', () => {
  const { cells, axes, pairs_full } = gridPlan(hotelTools, hotelPolicy);
  const others = axisNames.filter((axis) => axis !== 'rule').map((axis) => axes[axis].length);
  const among = others.flatMap((a, n) => others.slice(n + 1).map((b) => a * b)).reduce((sum, one) => sum + one, 0);
  const beside = (axes.rule.length + 1) * others.reduce((sum, one) => sum + one, 0);
  expect(pairs_full).toBe(among + beside);
  expect(countPairs(cells)).toBe(pairs_full);
});

it('keeps the other tasks when a clause is reworded, dropped, or only changes its case', () => {
  const before = idsOf(hotelPolicy);
  const reworded = idsOf(hotelPolicy.replace('200 EUR', '300 EUR'));
  expect([lost(before, reworded), lost(reworded, before)]).toEqual([10, 10]);
  const shouted = hotelPolicy.replace('Refunds over 200 EUR need a human.', 'REFUNDS over  200 EUR need a human.');
  expect(lost(before, idsOf(shouted))).toBe(0);
  expect(lost(before, idsOf(hotelPolicy.replace(/^4\..*\n/mu, '')))).toBe(10);
});

it('keeps the ids of other blocks whatever is edited, faults taken away included', () => {
  const clauses = policySections(hotelPolicy);
  const without = fc.integer({ min: 0, max: clauses.length - 1 });
  fc.assert(
    fc.property(without, (n) => {
      for (const mode of ['rl', 'explore'] as const) {
        const dropped = clauses.filter((_, at) => at !== n).map((clause) => `- ${clause}`);
        expect(lost(idsOf(hotelPolicy, { mode }), idsOf(dropped.join('\n'), { mode }))).toBe(10);
      }
    }),
    { numRuns: 4 },
  );
});

it('needs fewer cells in the compact layout, and holds the same pairs', () => {
  const stable = gridPlan(hotelTools, hotelPolicy);
  const compact = gridPlan(hotelTools, hotelPolicy, { grid: 'compact' });
  expect(stable.cells.length).toBe(170);
  expect(compact.cells.length).toBeLessThanOrEqual(113);
  expect(countPairs(compact.cells)).toBe(stable.pairs_full);
});

it('says how many clauses the cap left out', () => {
  const policy = Array.from({ length: 24 }, (_, n) => `${n + 1}. Rule number ${n} covers one case.`).join('\n');
  const plan = gridPlan(hotelTools, policy);
  expect([plan.axes.rule.length, plan.clauses_found]).toEqual([16, 24]);
});

it('builds the least grid of 60 tools', () => {
  const { cells, rule_free_cells, rule_free_lower_bound } = gridPlan(manyTools(60), hotelPolicy);
  expect(rule_free_cells).toBe(rule_free_lower_bound);
  expect(cells.length).toBe(620 + 10 * 62);
});

it('lets most fault cells succeed, and keeps one of each kind', () => {
  const { cells } = gridPlan(hotelTools, hotelPolicy);
  const kept = flipToSuccess(cells).filter(({ tool_condition }) => tool_condition !== 'success');
  expect(new Set(kept.map(({ tool_condition }) => tool_condition)).size).toBe(4);
  expect(kept.length).toBeLessThan(cells.length * 0.2);
});

it('says success where a fault was dropped, so that the row never speaks of a failure that did not happen', () => {
  const plan = gridPlan(hotelTools, hotelPolicy);
  for (const faultRate of [0, 0.5, 1]) {
    const { situations } = planSituations(plan, { mode: 'rl', faultRate });
    for (const { scenario_dimensions, faults } of situations)
      expect(faults === undefined).toBe(scenario_dimensions.tool_condition === 'success');
    const share = situations.filter(({ faults }) => faults).length / situations.length;
    expect(Math.abs(share - 0.8 * faultRate)).toBeLessThan(0.15);
  }
});

it('reports the pairs that taking faults away removed', () => {
  const plan = planSituations(gridPlan(hotelTools, hotelPolicy));
  expect(plan.pairs_planned).toBeLessThan(plan.pairs_full);
});

it('plans the fault on the tool of the cell, and on one tool of several', () => {
  const { situations } = planSituations(gridPlan(hotelTools, ''), { mode: 'rl', faultRate: 1 });
  const names = hotelTools.map(({ name }) => name);
  for (const { scenario_dimensions: cell, faults } of situations.filter((one) => one.faults)) {
    const [tool] = Object.keys(faults ?? {});
    if (cell.tool === 'unrelated') expect(tool).toBe('*');
    else if (cell.tool === 'multi_tool') expect(names).toContain(tool);
    else expect(tool).toBe(cell.tool);
  }
});

it('names a cell by its content, not by the order of its keys', () => {
  const [cell] = gridPlan(hotelTools, '').cells;
  if (!cell) throw new Error('the grid is empty');
  const turned = Object.fromEntries(Object.entries(cell).reverse()) as typeof cell;
  expect(scenarioId(turned)).toBe(scenarioId(cell));
  expect(scenarioId(cell)).toMatch(/^sc-[0-9a-f]{12}$/);
});

it.each([
  [{}, 'at least one'],
  [{ tier: ['x'] }, 'tier'],
  [{ stance: 'hurried' }, 'stance'],
  [{ stance: ['mad'] }, 'mad'],
  [{ world_state: ['martian'] }, 'martian'],
  [{ tool_condition: ['on_fire'] }, 'on_fire'],
])('refuses axes that nothing can play: %j', (dimensions, word) => {
  expect(() => gridPlan(hotelTools, '', { dimensions: dimensions as never })).toThrow(word);
});
