import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draw, drawInt, drawOne, draws } from '../../src/core/draws.ts';
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

it('draws the number that anybody can compute from seed, id and purpose', () => {
  const digest = createHash('sha256').update('[7,"task-1","fault"]').digest();
  const bits = digest.readBigUInt64BE(0) >> 11n;
  expect(draw(7, 'task-1', 'fault')).toBe(Number(bits) / 2 ** 53);
});

it('differs by each of seed, id and purpose, and never by how they are cut', () => {
  const numbers = [draw(1, 'a', 'b'), draw(2, 'a', 'b'), draw(1, 'b', 'b'), draw(1, 'a', 'a'), draw(1, 'a","b', '')];
  expect(new Set(numbers).size).toBe(5);
});

it('gives the same numbers again, whatever else is drawn in between', () => {
  const alone = draws(1, 'a', 'order');
  const expected = Array.from({ length: 20 }, () => alone.next());
  const [one, other] = [draws(1, 'a', 'order'), draws(1, 'a', 'other')];
  const mixed = Array.from({ length: 20 }, () => [other.next(), one.next()][1]);
  expect(mixed).toEqual(expected);
});

it('is even: numbers of a generator, and first numbers of many ids', () => {
  const generator = draws(3, 'x', 'even');
  const cells = (next: (n: number) => number) => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 20_000; n++) {
      const cell = Math.floor(next(n) * 10);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
    return counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
  };
  expect(cells(() => generator.next())).toBeLessThan(33.7); // chi-square of 9 degrees, 1 in 10,000
  expect(cells((n) => draw(3, `id-${n}`, 'even'))).toBeLessThan(33.7);
  expect(cells(() => generator.int(10) / 10)).toBeLessThan(33.7);
});

it('shuffles all of a list and picks from it, without touching it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.string(), (list, id) => {
      const before = [...list];
      const generator = draws(0, id, 'test');
      expect(generator.shuffle(list).sort()).toEqual([...list].sort());
      expect(list).toContain(generator.pick(list));
      expect(list).toEqual(before);
    }),
  );
  expect(() => draws(0, '', '').pick([])).toThrow('nothing to pick from');
});
