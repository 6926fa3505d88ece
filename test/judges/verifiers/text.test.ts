import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactMatch } from '../../../src/judges/verifiers/exact-match.ts';
import { extractAnswer } from '../../../src/judges/verifiers/extract-answer.ts';
import { includes } from '../../../src/judges/verifiers/includes.ts';
import { multipleChoice } from '../../../src/judges/verifiers/multiple-choice.ts';
import { normalizeText } from '../../../src/judges/verifiers/normalize-text.ts';
import { numeric } from '../../../src/judges/verifiers/numeric.ts';
import { lastNumber } from '../../../src/judges/verifiers/read-number.ts';
import { referenceValue } from '../../../src/judges/verifiers/reference-value.ts';
import { regex } from '../../../src/judges/verifiers/regex.ts';
import type { Verifier } from '../../../src/judges/verifiers/verifier.ts';

const reward = (check: Verifier, final_text: string, reference: unknown) =>
  (check.verify({ final_text, reference }) as { reward: number | null }).reward;

it.each([
  ['-5', '5'],
  ['.5', '5'],
  ['1.5', '15'],
  ['3/4', '34'],
  ['10:30', '1030'],
  ['2-3', '23'],
  ['!!!', '???'],
  ['', 'x'],
])('ExactMatch: %s is not %s', (got, want) => {
  expect(reward(exactMatch(), got, want)).toBe(0);
});

it.each([
  ['well-known', 'Well known.'.replace(' ', '-')],
  ['−5', '-5'],
  ['"Paris"!', 'paris'],
  ['???', ' ??? '],
  ['true', true],
  ['0', 0],
  ['', ''],
])('ExactMatch: %s is %s', (got, want) => {
  expect(reward(exactMatch(), got, want)).toBe(1);
});

it('normalizing twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = normalizeText(text, { stripPunct: false });
      expect(normalizeText(once, { stripPunct: false })).toBe(once);
    }),
  );
});

it('Includes: whole words on the sides that are words, anything else as it stands', () => {
  expect(reward(includes(), '142', '42')).toBe(0);
  expect(reward(includes(), 'É42', '42')).toBe(0);
  expect(reward(includes(), 'a 42.', 42)).toBe(1);
  expect(reward(includes(), 'x42 y 42', '42')).toBe(1);
  expect(reward(includes(), 'a==b', '==')).toBe(1);
  expect(reward(includes(), 'x', [''])).toBeNull();
  expect(reward(includes({ lower: false }), 'paris', 'Paris')).toBe(0);
});

it('Regex: an unmatched group is empty, an unknown one is an error, named groups in both spellings', () => {
  expect(reward(regex({ pattern: 'a(b)?', group: 1 }), 'a', '')).toBe(1);
  expect(regex({ pattern: 'a', group: 2 }).verify({ final_text: 'a', reference: 'a' })).toMatchObject({
    reward: null,
    judge_status: 'error',
  });
  expect(reward(regex({ pattern: '(?P<n>\\d+)', group: 'n' }), 'n 7', 7)).toBe(1);
  expect(reward(regex({ pattern: '(?<n>\\d+)', group: 'n' }), 'n 7', 7)).toBe(1);
});

it.each([
  ['The answer is B because of c.', 'B'],
  ['**Answer:** (d)', 'D'],
  ['the answer is b.', 'B'],
  ['the answer is because', undefined],
  ['\\boxed{\\text{(C)}}', 'C'],
  ['C is the correct answer, not D', 'C'],
  ['b', 'B'],
  ['A dog chased E', 'E'],
  ['A dog barked', undefined],
  ['I think so', undefined],
  ['Vitamin B-12 is in D', 'D'],
])('MultipleChoice: %s', (text, want) => {
  expect(reward(multipleChoice(), text, want ?? 'A')).toBe(want === undefined ? 0 : 1);
});

it('MultipleChoice: the reference may be spelled out; another word is no letter', () => {
  expect(reward(multipleChoice(), 'B', '(B) Paris')).toBe(1);
  expect(reward(multipleChoice(), 'D', 'Denmark')).toBeNull();
  expect(reward(multipleChoice(), 'D', 4)).toBeNull();
});

it.each([
  ['5-7', 7],
  ['x = -3', -3],
  ['1.5 \\times 10^{3}', 1500],
  ['2e-3', 0.002],
  ['$1,234,567.50', 1234567.5],
  ['3/4 cup', 0.75],
  ['\\frac{-1}{2}', -0.5],
  ['\\frac12', 0.5],
  ['1{,}234', 1234],
  ['12,5', 5],
  ['none', undefined],
])('reads the last number of %s', (text, want) => {
  expect(lastNumber(text)).toBe(want);
});

it('Numeric: what overflows never matches, nor does text without a number', () => {
  expect(reward(numeric(), '1e999', '1e999')).toBe(0);
  expect(reward(numeric(), '5', 'five')).toBeNull();
  expect(reward(numeric(), '0.3', 0.1 + 0.2)).toBe(1);
});

it.each([
  ['\\boxed{1} \\boxed{2', '1'],
  ['\\boxed{ \\boxed{5}', '5'],
  ['\\fbox{x}', 'x'],
  ['\\boxed{\\{1,2\\}}', '\\{1,2\\}'],
  ['The **answer** is **7**. Bye', '7'],
  ['Result: 3.5 m. Done', '3.5 m'],
  ['Answer:\n42', '42'],
])('the answer of %s', (text, want) => {
  expect(extractAnswer(text)).toBe(want);
});

it('a field that is missing gives no gold, whatever else the row has', () => {
  expect(referenceValue({ answer: 'x', privileged: { reference: 'y' } }, 'gold')).toBeNull();
  expect(referenceValue({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
  expect(referenceValue({ a: [{ b: 3 }] }, 'a.0.b')).toBe(3);
  expect(referenceValue({ metadata: { target: '' } })).toBe('');
});

it('hostile text is read in linear time', () => {
  const long = 200_000;
  const texts = [
    '\\boxed{'.repeat(long / 10),
    `answer${' '.repeat(long)}x`,
    '('.repeat(long),
    '1,111'.repeat(long / 5),
    `\\boxed{${' '.repeat(long)}x}`,
    `\\frac${'{'.repeat(long)}`,
    `answer is${'*'.repeat(long)}(`,
    'B is '.repeat(long / 5),
  ];
  for (const text of texts) {
    for (const check of [exactMatch(), multipleChoice(), numeric(), regex({ pattern: '(a+)+$' })])
      check.verify({ final_text: text, reference: 'A 5' });
  }
}, 60_000);
