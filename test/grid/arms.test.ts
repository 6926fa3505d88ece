import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkArmWeights, defaultArmWeights, reallocateSearchArms } from '../../src/grid/arms.ts';

const yields = fc.dictionary(
  fc.constantFrom('structured', 'llm_guided', 'open_ended', 'behavior_targeted', 'failure_mutation'),
  fc.double({ min: -2, max: 20, noNaN: true }),
);

it('keeps shares that add up to 1, above their floors and below their caps, whatever was found', () => {
  fc.assert(
    fc.property(fc.array(yields, { maxLength: 30 }), (rounds) => {
      const weights = rounds.reduce((known, found) => reallocateSearchArms(known, found), defaultArmWeights());
      const total = Object.values(weights).reduce((sum, one) => sum + one, 0);
      expect(total).toBeCloseTo(1, 9);
      expect(weights['open_ended']).toBeGreaterThanOrEqual(0.05 - 1e-12);
      expect(weights['open_ended']).toBeLessThanOrEqual(0.1 + 1e-12);
      expect(Math.max(weights['behavior_targeted'] ?? 1, weights['failure_mutation'] ?? 1)).toBeLessThanOrEqual(
        0.08 + 1e-12,
      );
    }),
  );
});

it.each([[{}], [{ nope: 1 }], [{ structured: -1 }], [{ structured: 0 }]])(
  'refuses shares that say nothing: %j',
  (given) => {
    expect(() => checkArmWeights(given)).toThrow('armWeights');
  },
);

it('brings pinned shares to a sum of 1 and leaves the other arms out', () => {
  expect(checkArmWeights({ structured: 3, failure_mutation: 1 })).toEqual({
    structured: 0.75,
    llm_guided: 0,
    open_ended: 0,
    behavior_targeted: 0,
    failure_mutation: 0.25,
  });
});
