import fc from 'fast-check';
import { expect, it } from 'vitest';
import { passAtK } from '../../src/stats/pass-at-k.ts';

/** All k-element choices of n rollouts of which the first c pass, one by one. */
function counted(n: number, c: number, k: number) {
  let [all, some, every] = [0, 0, 0];
  for (let chosen = 0; chosen < 2 ** n; chosen++) {
    const picks = Array.from({ length: n }, (_, at) => at).filter((at) => (chosen >> at) & 1);
    if (picks.length !== k) continue;
    all++;
    if (picks.some((at) => at < c)) some++;
    if (picks.every((at) => at < c)) every++;
  }
  return { pass_at_k: some / all, pass_pow_k: every / all };
}

it('agrees with counting every choice, up to 8 rollouts', () => {
  for (let n = 1; n <= 8; n++)
    for (let c = 0; c <= n; c++)
      for (let k = 1; k <= n; k++) {
        const { pass_at_k, pass_pow_k } = passAtK(n, c, k);
        expect(pass_at_k).toBeCloseTo(counted(n, c, k).pass_at_k, 12);
        expect(pass_pow_k).toBeCloseTo(counted(n, c, k).pass_pow_k, 12);
      }
});

it('stays between pass^k, pass@1 and pass@k for any size, far beyond exact whole numbers', () => {
  const group = fc
    .integer({ min: 1, max: 400 })
    .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n })));
  fc.assert(
    fc.property(group, ([n, c, k]) => {
      const { pass_at_k, pass_pow_k } = passAtK(n, c, k);
      expect(pass_pow_k).toBeGreaterThanOrEqual(0);
      expect(pass_pow_k).toBeLessThanOrEqual(c / n + 1e-12);
      expect(pass_at_k).toBeGreaterThanOrEqual(c / n - 1e-12);
      expect(pass_at_k).toBeLessThanOrEqual(1);
    }),
  );
});
