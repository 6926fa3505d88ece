import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonScale } from '../../src/stats/common-scale.ts';
import { addTo, emptySum, totalOf } from '../../src/stats/exact-sum.ts';

const sumOf = (values: readonly number[]) => {
  const sum = emptySum();
  for (const value of values) addTo(sum, value);
  return totalOf(sum);
};

it('sums the same in any order', () => {
  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 30 }), (values) => {
      expect(sumOf(values.toSorted((a, b) => a - b))).toBe(sumOf(values));
    }),
  );
  expect(sumOf([0.1, 0.2, 0.3, -0.6])).not.toBe(0.1 + 0.2 + 0.3 - 0.6);
});

it('finds the grid that counts over counts lie on', () => {
  expect(commonScale([0.25, -0.5, 0])).toBe(4);
  expect(commonScale([1 / 3, 0.25 - 2 / 3, 1 / 8])).toBe(24);
  expect(commonScale([Math.SQRT2, Math.PI, Math.E])).toBeUndefined();
});
