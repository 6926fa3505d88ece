import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bootstrapCi, bootstrapDifference } from '../../src/stats/bootstrap.ts';
import { clusterWilson } from '../../src/stats/cluster-wilson.ts';
import { mean } from '../../src/stats/moments.ts';
import { tQuantile } from '../../src/stats/quantiles.ts';
import { tInterval, welchInterval } from '../../src/stats/t-interval.ts';
import { type Interval, wilsonInterval } from '../../src/stats/wilson.ts';

const width = ([low, high]: Interval) => high - low;

it('five tasks that always pass do not promise a pass rate of 1', () => {
  expect(clusterWilson([1, 1, 1, 1, 1], 20)?.[0]).toBeCloseTo(0.4252, 4);
  expect(clusterWilson([1, 1], 8)).toBeNull();
});

it('covers the mean, stays in [0, 1], and is never narrower than a Wilson interval on all rows', () => {
  const tasks = fc.array(fc.nat(4), { minLength: 3, maxLength: 40 });
  fc.assert(
    fc.property(tasks, (passes) => {
      const rates = passes.map((c) => c / 4);
      const interval = clusterWilson(rates, rates.length * 4) as Interval;
      const middle = mean(rates);
      expect(interval[0]).toBeGreaterThanOrEqual(0);
      expect(interval[1]).toBeLessThanOrEqual(1);
      expect(interval[0]).toBeLessThanOrEqual(middle + 1e-12);
      expect(interval[1]).toBeGreaterThanOrEqual(middle - 1e-12);
      const rows = wilsonInterval(middle * rates.length * 4, rates.length * 4) as Interval;
      expect(width(interval)).toBeGreaterThanOrEqual(width(rows) - 1e-12);
    }),
  );
});

it('ends at the share itself at 0 and n, and has no interval without trials', () => {
  expect(wilsonInterval(0, 10)?.[0]).toBe(0);
  expect(wilsonInterval(10, 10)?.[1]).toBe(1);
  expect(wilsonInterval(0, 0)).toBeNull();
});

it('gives the t interval of differences and of two sides', () => {
  const diffs = [0.25, 0, -0.25, 0.5, 0.25, 0, 0, 0.75, -0.5, 0.25];
  expect(tInterval(diffs)?.[0]).toBeCloseTo(-0.131405533, 8);
  expect(tInterval([1])).toBeNull();
  // variances 1/16 over 3 and 1/24 over 4: standard error sqrt(1/32), Welch's 27/7 degrees of freedom
  const half = tQuantile(0.975, 27 / 7) / Math.sqrt(32);
  const [low, high] = welchInterval([0, 0.25, 0.5], [0.75, 0.5, 1, 0.75]) as Interval;
  expect(low).toBeCloseTo(0.5 - half, 12);
  expect(high).toBeCloseTo(0.5 + half, 12);
  expect(welchInterval([1, 1], [0, 0])).toEqual([-1, -1]);
});

it('bootstraps the same interval from the same seed, inside the range of the values', () => {
  const values = [1, 1, 0.75, 0.5, 1, 0.25, 0.75, 1, 0, 0.5, 1, 0.75, 1, 0.25, 0.5, 1];
  const [low, high] = bootstrapCi(values) as Interval;
  expect([low, high]).toEqual(bootstrapCi(values, { seed: 0 }));
  expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => String(bootstrapCi(values, { seed })))).size).toBeGreaterThan(1);
  expect(Math.abs(low - 0.539)).toBeLessThan(0.02);
  expect(Math.abs(high - 0.852)).toBeLessThan(0.02);
  expect(bootstrapCi([0.3, 0.3, 0.3])).toEqual([0.3, 0.3]);
  expect(bootstrapCi([0, 1])).toBeNull();
  const apart = bootstrapDifference([0, 0, 0.25], [1, 1, 0.75]) as Interval;
  expect(apart[0]).toBeGreaterThan(0.5);
});
