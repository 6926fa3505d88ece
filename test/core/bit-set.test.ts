import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onesAt, onesOf, sharedOnes } from '../../src/core/bit-set.ts';

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const digits = (bits: number): readonly string[] => [...(bits >>> 0).toString(2)].filter((digit) => digit === '1');

it('counts the ones that the digits show', () => {
  fc.assert(
    fc.property(word, (bits) => {
      expect(onesOf(bits)).toBe(digits(bits).length);
    }),
  );
});

it('counts what two sets share, word by word', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { minLength: 3, maxLength: 40 }), (pairs) => {
      const [a, b] = [Int32Array.from(pairs, ([x]) => x), Int32Array.from(pairs, ([, y]) => y)];
      expect(sharedOnes(a, b)).toBe(pairs.flatMap(([x, y]) => digits(x & y)).length);
      expect(sharedOnes(a, b, 3)).toBe(pairs.slice(0, 3).flatMap(([x, y]) => digits(x & y)).length);
    }),
  );
});

it('counts the ones at a few places as it counts those of a set of them', () => {
  const places = fc.uniqueArray(fc.nat(9 * 32 - 1), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 9, maxLength: 9 }), places, (words, places) => {
      const bits = Int32Array.from(words);
      const few = new Int32Array(9);
      for (const place of places) few[place >>> 5] = (few[place >>> 5] as number) | (1 << (place & 31));
      expect(onesAt(bits, Int32Array.from(places))).toBe(sharedOnes(bits, few));
    }),
  );
});
