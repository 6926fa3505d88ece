import fc from 'fast-check';
import { expect, it } from 'vitest';
import { visitSimilarAcross, visitSimilarSets } from '../../src/text/similar-sets.ts';

const member = fc.integer({ min: 0, max: 40 }).map((n) => `w${n % 7 < 5 ? n % 12 : n}`);
const anySets = fc.array(fc.array(member, { maxLength: 25 }), { maxLength: 25 });
const anyThreshold = fc.constantFrom(0.3, 0.5, 0.65, 0.8, 1);

function jaccard(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [new Set(one), new Set(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 0 : shared / (a.size + b.size - shared);
}

it('finds the pairs that comparing every set with every other finds', () => {
  fc.assert(
    fc.property(anySets, anyThreshold, (sets, threshold) => {
      const found: unknown[] = [];
      visitSimilarSets(sets, threshold, (a, b, alike) => found.push([a, b, alike]));
      const plain = sets.flatMap((one, b) =>
        sets.slice(0, b).flatMap((other, a) => {
          const alike = jaccard(other, one);
          return alike >= threshold - 1e-9 ? [[a, b, alike]] : [];
        }),
      );
      expect(found).toHaveLength(plain.length);
      expect(new Set(found.map(String))).toEqual(new Set(plain.map(String)));
    }),
  );
});

it('finds them across two lists', () => {
  fc.assert(
    fc.property(anySets, anySets, anyThreshold, (left, right, threshold) => {
      const found = new Set<string>();
      visitSimilarAcross(left, right, threshold, (a, b) => found.add(`${a} ${b}`));
      const plain = left.flatMap((one, a) =>
        right.flatMap((other, b) => (jaccard(one, other) >= threshold - 1e-9 ? [`${a} ${b}`] : [])),
      );
      expect(found).toEqual(new Set(plain));
    }),
  );
});
