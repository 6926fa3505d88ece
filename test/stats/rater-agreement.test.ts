import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cohenKappa, gwetAc1, krippendorffAlpha, observedAgreement } from '../../src/stats/rater-agreement.ts';

const cell = fc.nat(50);
const confusion = fc.record({ tp: cell, fp: cell, fn: cell, tn: cell });

it('agreement beyond chance is at most agreement, and 1 only when there is no disagreement', () => {
  fc.assert(
    fc.property(confusion, (counts) => {
      const [observed, kappa, ac1] = [observedAgreement(counts), cohenKappa(counts), gwetAc1(counts)];
      if (observed === null || kappa === null || ac1 === null) {
        expect(counts).toEqual({ tp: 0, fp: 0, fn: 0, tn: 0 });
        return;
      }
      expect(kappa).toBeLessThanOrEqual(observed + 1e-12);
      expect(ac1).toBeLessThanOrEqual(observed + 1e-12);
      expect(kappa === 1).toBe(counts.fp + counts.fn === 0);
    }),
  );
});

it('is what the textbooks say', () => {
  expect(cohenKappa({ tp: 20, fp: 5, fn: 10, tn: 15 })).toBeCloseTo(0.4, 12); // Cohen's own layout, 35 of 50 agree
  expect(cohenKappa({ tp: 118, fp: 5, fn: 2, tn: 0 })).toBeCloseTo(-0.0234, 4);
  expect(gwetAc1({ tp: 118, fp: 5, fn: 2, tn: 0 })).toBeCloseTo(0.9408, 4); // where kappa collapses, AC1 does not
});

it('alpha for two raters without gaps follows from its definition by coincidences', () => {
  const cases = [
    [1, 1],
    [1, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [0, 1],
  ];
  // 12 ratings, 6 of each; 2 of 6 cases differ: Do = 4/12, De = 72/132
  expect(krippendorffAlpha(cases)).toBeCloseTo(1 - 4 / 12 / (72 / 132), 12);
  expect(krippendorffAlpha([[1], [0]])).toBeNull();
  expect(krippendorffAlpha([[1, 1, 1]])).toBe(1);
});
