import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patienceSchema, sampleTurnBudget, walkAwayChance } from '../../src/agents/turns.ts';

const keys = Array.from({ length: 4000 }, (_, n) => [n]);

it.each([4, 6, 12, 16, 5])('budgets around %s are even, mostly within two, and near it on average', (average) => {
  const drawn = keys.map((key) => sampleTurnBudget(average, key));
  expect(drawn.every((turns) => turns % 2 === 0 && turns >= 2 && turns <= 2 * average)).toBe(true);
  expect(drawn.filter((turns) => Math.abs(turns - average) <= 2).length / drawn.length).toBeGreaterThanOrEqual(0.72);
  expect(Math.abs(drawn.reduce((a, b) => a + b, 0) / drawn.length - average)).toBeLessThan(1.2);
});

it('short conversations are short, one exchange is one exchange', () => {
  const drawn = keys.map((key) => sampleTurnBudget(3, key));
  expect(drawn.filter((turns) => turns <= 4).length / drawn.length).toBeCloseTo(0.6, 1);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(12);
  expect(sampleTurnBudget(1, [1])).toBe(2);
});

it('half of what the run is off is made up for, and a cap holds', () => {
  const mean = (error: number) =>
    keys.reduce((sum, key) => sum + sampleTurnBudget(12, key, { error }), 0) / keys.length;
  expect(mean(4)).toBeLessThan(mean(0) - 1);
  expect(mean(-4)).toBeGreaterThan(mean(0) + 1);
  expect(Math.max(...keys.map((key) => sampleTurnBudget(12, key, { maxTurns: 13 })))).toBe(12);
});

it('patience is a word in any case or a pair of chances', () => {
  expect(walkAwayChance(patienceSchema.parse('SHORT'), 1)).toBe(0.6);
  expect(walkAwayChance(patienceSchema.parse([0.1, 0.2]), 2)).toBe(0.2);
  expect(patienceSchema.safeParse('saintly').success).toBe(false);
  fc.assert(fc.property(fc.nat(), (n) => walkAwayChance('endless', n) === 0));
});
