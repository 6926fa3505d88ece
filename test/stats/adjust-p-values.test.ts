import fc from 'fast-check';
import { expect, it } from 'vitest';
import { adjustPValues } from '../../src/stats/adjust-p-values.ts';

it('never makes a p-value smaller, keeps their order, and is the value itself when there is one', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), (values) => {
      const { bh, holm } = adjustPValues(values);
      values.forEach((value, at) => {
        expect(bh[at]).toBeGreaterThanOrEqual(value * (1 - 1e-12));
        expect(holm[at]).toBeGreaterThanOrEqual((bh[at] ?? 2) * (1 - 1e-12));
        expect(holm[at]).toBeLessThanOrEqual(1);
        values.forEach((other, there) => {
          if (value <= other) expect(bh[at]).toBeLessThanOrEqual((bh[there] ?? -1) + 1e-15);
        });
      });
      if (values.length === 1) expect([bh, holm]).toEqual([values, values]);
    }),
  );
});

it('gives what statsmodels gives', () => {
  const { bh, holm } = adjustPValues([0.01, 0.04, 0.03, 0.2, 0.6]);
  expect(bh.map((p) => Number(p.toFixed(6)))).toEqual([0.05, 0.066667, 0.066667, 0.25, 0.6]);
  expect(holm.map((p) => Number(p.toFixed(6)))).toEqual([0.05, 0.12, 0.12, 0.4, 0.6]);
  expect(adjustPValues([])).toEqual({ bh: [], holm: [] });
});
