import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coveringArray } from '../../src/grid/covering-array/index.ts';

function missingPairs(sizes: readonly number[]): number {
  const rows = coveringArray(sizes);
  let missing = 0;
  for (let a = 0; a < sizes.length; a++)
    for (let b = a + 1; b < sizes.length; b++)
      missing += (sizes[a] ?? 0) * (sizes[b] ?? 0) - new Set(rows.map((row) => `${row[a]},${row[b]}`)).size;
  return missing;
}

it('holds every pair, whatever the axes', () => {
  const axes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 });
  fc.assert(fc.property(axes, (sizes) => missingPairs(sizes) === 0));
});

it('names only values that an axis has', () => {
  const axes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(axes, (sizes) => {
      for (const row of coveringArray(sizes))
        for (const [axis, value] of row.entries()) expect(value).toBeLessThan(sizes[axis] ?? 0);
    }),
  );
});

it.each([
  [[2, 10, 1, 5, 5], 50],
  [[3, 10, 6, 5, 5], 60],
  [[7, 10, 6, 5, 5], 70],
  [[7, 2, 6, 5, 5], 42],
  [[22, 10, 6, 5, 5], 220],
  [[62, 10, 6, 5, 5], 620],
  [[7, 10, 10, 6, 5, 5], 100],
])('needs no more rows than the two widest axes have pairs: %j', (sizes, bound) => {
  expect(coveringArray(sizes)).toHaveLength(bound);
});

it('comes near the least known for square arrays, where no growth reaches the bound', () => {
  expect(coveringArray([3, 3, 3, 3]).length).toBe(9);
  expect(coveringArray([3, 3, 3, 3, 3]).length).toBeLessThanOrEqual(12);
  expect(coveringArray([6, 6, 6, 6, 6]).length).toBeLessThanOrEqual(50);
});

it('is empty when an axis has no value', () => {
  expect(coveringArray([3, 0])).toEqual([]);
  expect(coveringArray([])).toEqual([]);
});
