import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draw, drawInt, drawOne } from '../../src/core/draws.ts';
import { idOf } from '../../src/core/ids.ts';

it('draws the same number for the same parts and stays in [0, 1)', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), (seed, id) => {
      const number = draw(seed, id, 'fault');
      expect(number).toBe(draw(seed, id, 'fault'));
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }),
  );
});

it('draws evenly: a share of 0.7 is met within four standard errors', () => {
  const hits = Array.from({ length: 4000 }, (_, n) => draw(0, n)).filter((number) => number < 0.7).length;
  expect(Math.abs(hits / 4000 - 0.7)).toBeLessThan(0.03);
  const faces = new Set(Array.from({ length: 200 }, (_, n) => drawInt(1, 6, 'die', n)));
  expect([...faces].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(drawOne(['only'], 1)).toBe('only');
});

it('ids tell parts apart by their borders and write a bigint as digits', () => {
  expect(idOf(['ab', 'c'])).not.toBe(idOf(['a', 'bc']));
  expect(idOf([{ a: 1, b: 2 }])).toBe(idOf([{ b: 2, a: 1 }]));
  expect(idOf([2n ** 60n])).toMatch(/^[0-9a-f]{16}$/);
});
