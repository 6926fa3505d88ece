import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '../../src/world/arithmetic.ts';

it.each([
  ['2*(3+4)', 14],
  ['7/2', 3.5],
  ['10/2', 5],
  ['-3 % 5', 2],
  ['3 % -5', -2],
  ['-7 // 2', -4],
  ['2**3**2', 512],
  ['-2**2', -4],
  ['2**-1', 0.5],
  ['1.5e3 + .5', 1500.5],
  ['2**64', 2n ** 64n],
  ['0 * -1', 0],
  ['--3', 3],
])('%s is %s', (text, value) => {
  expect(evaluate(text)).toBe(value);
});

it.each([
  '',
  '1/0',
  '1 // 0',
  '5 % 0.0',
  '3 apples',
  '2 +',
  '(1',
  '1)',
  '1 2',
  '2^3',
  '__import__("os")',
  '9**9**9',
  '1e400',
  '2**1000',
])('%j is refused', (text) => {
  expect(evaluate(text)).toBeUndefined();
});

it('a tower of powers and a wall of brackets come back at once', () => {
  expect(evaluate('9**'.repeat(400).slice(0, -2))).toBeUndefined();
  expect(evaluate('('.repeat(5000))).toBeUndefined();
  expect(evaluate(`${'9'.repeat(400)}`)).toBeUndefined();
});

it('agrees with JavaScript on sums and products of integers', () => {
  const number = fc.integer({ min: -9999, max: 9999 });
  fc.assert(
    fc.property(number, number, number, fc.constantFrom('+', '-', '*'), (a, b, c, sign) => {
      const expected = { '+': a + b, '-': a - b, '*': a * b }[sign] * 2 + c;
      expect(evaluate(`(${a} ${sign} ${b}) * 2 + ${c}`)).toBe(expected === 0 ? 0 : expected);
    }),
  );
});
