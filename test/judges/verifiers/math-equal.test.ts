import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAnswers } from '../../../src/judges/verifiers/math/index.ts';
import { mathEqual } from '../../../src/judges/verifiers/math-equal.ts';

const reward = (final_text: string, reference: unknown) =>
  (mathEqual().verify({ final_text, reference }) as { reward: number | null }).reward;

describe('the same', () => {
  it.each([
    ['\\boxed{\\frac{-1}{2}}', '-\\frac12'],
    ['1\\frac{1}{2}', '1.5'],
    ['3 1/2', '7/2'],
    ['\\boxed{\\sqrt[3]{27}}', '3'],
    ['8^{1/3}', '2'],
    ['2^{-3}', '0.125'],
    ['\\boxed{(1+i)^2}', '2i'],
    ['e^{i\\pi}', '-1'],
    ['\\ln(e^2)', '2'],
    ['\\log 100', '2'],
    ['\\log_{2}(8)', '3'],
    ['\\cos 60^\\circ', '0.5'],
    ['\\sin^2 x + \\cos^2 x', '1'],
    ['\\sin(2x)', '2\\sin x\\cos x'],
    ['\\tan^{-1}(1)', '\\frac{\\pi}{4}'],
    ['|x|', '\\sqrt{x^2}'],
    ['|-3|+|2|', '5'],
    ['\\lfloor 3.7 \\rfloor', '3'],
    ['\\binom{10}{3}', '120'],
    ['10!/(8!)', '90'],
    ['(x+1)(x-1)', 'x^2-1'],
    ['\\frac{x^2-1}{x-1}', 'x+1'],
    ['\\frac{1}{x}+\\frac1y', '\\frac{x+y}{xy}'],
    ['2xy', 'y\\cdot 2x'],
    ['x_1+x_2', 'x_2+x_1'],
    ['a^{m+n}', 'a^m a^n'],
    ['2^{x+1}', '2\\cdot 2^x'],
    ['y=2x+1', '2x - y + 1 = 0'],
    ['f(x)=x^2', 'x^2'],
    ['5=x', '5'],
    ['x = 2+3 = 5', '5'],
    ['x=1 \\text{ or } x=2', '1, 2'],
    ['x = \\pm\\sqrt{2}', '\\sqrt2, -\\sqrt2'],
    ['1\\pm\\sqrt{3}', '1+\\sqrt{3},1-\\sqrt{3}'],
    ['2<x', 'x>2'],
    ['2x>4', 'x>2'],
    ['-x<-2', 'x>2'],
    ['x\\le 3', '3 \\ge x'],
    ['1<x<3', '1 < x < 3'],
    ['x\\in[0,1)', '[0,1)'],
    ['(-\\infty,1)\\cup(2,\\infty)', '(2,\\infty)\\cup(-\\infty,1)'],
    ['(-\\infty, 0]', '\\left(-\\infty,0\\right]'],
    ['\\{2,1,1\\}', '\\{1,2\\}'],
    ['\\emptyset', '\\{\\}'],
    ['(\\frac12, 3)', '(0.5,3)'],
    ['\\begin{bmatrix}1&\\frac12\\\\0&1\\end{bmatrix}', '\\begin{pmatrix}1&0.5\\\\0&1\\end{pmatrix}'],
    ['\\text{(B)}', 'B'],
    ['Tuesday.', '\\text{tuesday}'],
    ['12\\text{ cm}^2', '12'],
    ['5 m', '5'],
    ['$\\frac{3}{4}$ cups', '0.75'],
    ['Thus we get $x=3$ and are done.', '3'],
    ['20 + 22 = 42 miles', '42'],
    ['50\\%', '50'],
    ['12.5%', '1/8'],
    ['1.5 \\times 10^{-3}', '0.0015'],
    ['1,234', '1234'],
    ['1, 234', '234, 1'],
    ['x²+1', '1+x^2'],
    ['½', '0.5'],
    ['−√2', '-\\sqrt{2}'],
    ['\\dfrac{\\pi}{2}', '1.5707963'],
    ['0.6666667', '\\frac{2}{3}'],
    ['1e3', 1000],
    ['\\mathrm{i}', 'i'],
    ['3\\sqrt{2}/2', '\\frac{3}{\\sqrt{2}}'],
    ['\\sqrt{3+2\\sqrt{2}}', '1+\\sqrt{2}'],
    ['1011_2', '1011_{2}'],
    ['3 : 4', '3:4'],
    ['\\infty', 'infinity'],
    ['**42**', '42'],
    ['The answer is \\(x = 7\\).', '7'],
    ['2**10', '1024'],
  ])('%s is %s', (got, want) => {
    expect(reward(got, want)).toBe(1);
  });
});

describe('not the same', () => {
  it.each([
    ['-1/2', '1/2'],
    ['0.33', '1/3'],
    ['3.14', '\\pi'],
    ['22/7', '\\pi'],
    ['100000000000000000001', '10^{20}'],
    ['0.0000001', '0.0000009'],
    ['0.30000000000000001', '0.3'],
    ['x>2', 'x\\ge 2'],
    ['x>2', 'x<2'],
    ['x>2', 'y>2'],
    ['x>2', '2'],
    ['-x>2', 'x>2'],
    ['x=2', 'y=2'],
    ['x=2', 'x=-2'],
    ['x', 'y'],
    ['x+1', 'x-1'],
    ['\\sqrt{x^2}', 'x'],
    ['\\sin x', '\\cos x'],
    ['1.0000000001x', 'x'],
    ['x^2+1', 'x^2+1+\\frac{1}{10^{30}}'],
    ['(1,2)', '(2,1)'],
    ['(1,2)', '\\{1,2\\}'],
    ['(1,2)', '[1,2]'],
    ['(1,2]', '(1,2)'],
    ['\\{1,2\\}', '\\{1,2,3\\}'],
    ['1,2', '1,2,3'],
    ['2', '\\pm 2'],
    ['\\begin{pmatrix}1&2\\end{pmatrix}', '\\begin{pmatrix}2&1\\end{pmatrix}'],
    ['\\begin{pmatrix}1&2\\end{pmatrix}', '\\begin{pmatrix}1\\\\2\\end{pmatrix}'],
    ['\\infty', '-\\infty'],
    ['10^{400}', '\\infty'],
    ['\\text{no}', '\\text{yes}'],
    ['\\text{5 apples}', '6'],
    ['3-4i', '3+4i'],
    ['i', '-i'],
    ['50\\%', '0.05'],
    ['3:30', '3:31'],
    ['forty two', '42'],
    ['42', 'forty two'],
    ['2 3', '23'],
    ['1/0', '1'],
    ['5m', '5'],
    ['1e-20\\pi', '2e-20\\pi'],
    ['\\sqrt{2}', '1.414'],
    ['x=', '5'],
    ['x=', 'x'],
    ['2(', '2'],
    ['!x', 'x'],
    ['[', '['.repeat(2)],
    ['', '0'],
  ])('%s is not %s', (got, want) => {
    expect(reward(got, want)).toBe(0);
  });
});

it.each([
  ['9^9^9^9', '5'],
  ['(x+1)^{5000}', 'x'],
  ['10000000!', '1'],
  ['((3!)!)!', '1'],
  [`${'10000!+'.repeat(1000)}1`, '7'],
  [`${'('.repeat(4000)}1`, '1'],
  [`${'{'.repeat(4900)}${'}'.repeat(4900)}`, '1'],
  ['2'.repeat(9999), '1'],
  [`\\sqrt{${'7'.repeat(9000)}}`, '1'],
  [`${'\\frac{1}{'.repeat(900)}x${'}'.repeat(900)}`, 'x'],
  [`${'1/3+'.repeat(2400)}1`, '1/7'],
  [`${'1/9973^{50}+'.repeat(800)}1`, '1/7'],
  [`${'|'.repeat(4000)}1`, '1'],
  [`\\{${'x,'.repeat(2400)}y\\}`, `\\{${'z,'.repeat(2400)}y\\}`],
  [`${'\\pm'.repeat(3000)}1`, '1'],
  [`${'-'.repeat(9000)}1`, '1'],
  ['1e999999999', '1'],
  [`${'a '.repeat(4900)}`, '1'],
  [`${'$'.repeat(9000)}`, '1'],
  [`${'\\text{a}'.repeat(1200)}`, '1'],
  [`${'x^'.repeat(4000)}2`, '1'],
  ["__import__('os').system('true')", '0'],
  ['process.exit(1)', '1000'],
])('answers in time what would take for ever (%#)', (text, want) => {
  expect(reward(`\\boxed{${text}}`, want)).toBe(0);
  expect(reward(want, text)).toBe(0);
});

it('a box inside 4,000 that are not closed is found in time', () => {
  expect(reward(`${'\\boxed{'.repeat(4000)}\\boxed{5}`, '5')).toBe(1);
});

it('says so when it cannot tell', () => {
  expect(mathEqual().verify({ final_text: '9^9^9^9', reference: '5' })).toMatchObject({
    reward: 0,
    reason: expect.stringContaining('undecided') as string,
  });
});

it('never throws and is symmetric, for any two texts of these letters', () => {
  const piece = fc.constantFrom(
    'x',
    '1',
    '2',
    '+',
    '-',
    '^',
    '/',
    '(',
    ')',
    '\\frac',
    '{',
    '}',
    ',',
    '=',
    '<',
    '!',
    '|',
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const verdict = compareAnswers(a, b);
      if (verdict === 'same') expect(compareAnswers(b, a)).toBe('same');
    }),
    { numRuns: 2000 },
  );
});

it('knows a polynomial again after it was multiplied out, and no other', () => {
  const root = fc.integer({ min: -9, max: 9 });
  fc.assert(
    fc.property(root, root, root, (a, b, c) => {
      const expanded = `x^2 + ${-(a + b)}x + ${a * b}`.replaceAll('+ -', '- ');
      const factored = `(x - ${a})(x - ${b})`.replaceAll('- -', '+ ');
      expect(compareAnswers(factored, expanded)).toBe('same');
      if (c !== a * b)
        expect(
          compareAnswers(factored, `${expanded} - ${a * b} + ${c}`.replaceAll('- -', '+ ').replaceAll('+ -', '- ')),
        ).toBe('different');
    }),
  );
});
