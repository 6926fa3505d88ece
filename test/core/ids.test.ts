import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { idOf } from '../../src/core/ids.ts';

it('gives equal ids to equal parts, whatever the order of keys, and others to others', () => {
  expect(idOf(['a', { x: 1, y: [2] }])).toBe(idOf(['a', { y: [2], x: 1 }]));
  expect(idOf(['a', 1])).not.toBe(idOf(['a', '1']));
  expect(idOf(['ab', 'c'])).not.toBe(idOf(['a', 'bc']));
  expect(idOf([2n ** 60n])).not.toBe(idOf([2n ** 60n + 1n]));
  expect([idOf([]).length, idOf([], 64).length]).toEqual([16, 64]);
});

it('writes what JSON.stringify writes, with sorted keys', () => {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value;
  const plain = fc.jsonValue().filter((value) => !/"(__proto__|-?\d+)":/.test(JSON.stringify(value))); // those keys order themselves
  fc.assert(
    fc.property(plain, (value) => {
      expect(canonicalJson(value)).toBe(JSON.stringify(sorted(value)));
    }),
  );
});

it('writes digits of a bigint, null for what is no number, and leaves out what has no value', () => {
  expect(canonicalJson({ b: 12345678901234567890n, a: Number.NaN, c: undefined, d: [undefined, new Date(0)] })).toBe(
    '{"a":null,"b":12345678901234567890,"d":[null,"1970-01-01T00:00:00.000Z"]}',
  );
});

it('keeps a member named __proto__', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"b":1,"a":2}}'))).toBe('{"__proto__":{"a":2,"b":1}}');
});
