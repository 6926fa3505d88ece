import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signFlipTest } from '../../src/stats/sign-flip.ts';

/** Every way of flipping the signs, one by one. */
function flipped(diffs: readonly number[]) {
  const observed = Math.abs(diffs.reduce((sum, diff) => sum + diff, 0));
  let [beyond, equal] = [0, 0];
  for (let signs = 0; signs < 2 ** diffs.length; signs++) {
    const sum = Math.abs(diffs.reduce((total, diff, at) => total + ((signs >> at) & 1 ? diff : -diff), 0));
    if (sum > observed + 1e-9) beyond++;
    else if (sum > observed - 1e-9) equal++;
  }
  return { p: (beyond + equal) / 2 ** diffs.length, mid: (beyond + equal / 2) / 2 ** diffs.length };
}

it('agrees with flipping every sign, for task means of unequal rollout counts', () => {
  const rate = fc.constantFrom(3, 4, 5, 8).chain((n) => fc.nat(n).map((c) => c / n));
  const diff = fc.tuple(rate, rate).map(([a, b]) => b - a);
  fc.assert(
    fc.property(fc.array(diff, { minLength: 1, maxLength: 9 }), (diffs) => {
      const { p_value, p_value_mid, method } = signFlipTest(diffs);
      expect(method).toBe('exact');
      const brute = flipped(diffs.filter((value) => Math.abs(value) > 1e-9));
      const isFlat = diffs.every((value) => Math.abs(value) < 1e-9);
      expect(p_value).toBeCloseTo(isFlat ? 1 : brute.p, 9);
      expect(p_value_mid).toBeCloseTo(isFlat ? 1 : brute.mid, 9);
    }),
  );
});

it('draws signs when the differences share no grid, close to the exact answer and the same every time', () => {
  const diffs = [0.31, -0.12, 0.27, 0.05, 0.44, -0.09, 0.38, 0.21].map((diff, at) => diff + Math.sqrt(at + 2) / 1000);
  const test = signFlipTest(diffs);
  expect(test.method).toBe('monte_carlo');
  expect(Math.abs(test.p_value - flipped(diffs).p)).toBeLessThan(0.01);
  expect(signFlipTest(diffs)).toEqual(test);
});

it('never says that something is impossible', () => {
  expect(signFlipTest(Array.from({ length: 3000 }, () => 0.25)).p_value).toBeGreaterThan(0);
  expect(signFlipTest([]).p_value).toBe(1);
});
