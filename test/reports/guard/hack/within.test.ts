import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnOf } from '../../../../src/reports/guard/hack/column.ts';
import type { Feature } from '../../../../src/reports/guard/hack/columns.ts';
import { conjunctions } from '../../../../src/reports/guard/hack/conjunctions.ts';
import { dealAnew, givenDeal } from '../../../../src/reports/guard/hack/deal.ts';
import { type Graded, gradedRows } from '../../../../src/reports/guard/hack/graded.ts';
import { pooledWith } from '../../../../src/reports/guard/hack/pooled.ts';
import { ready, rho } from '../../../../src/reports/guard/hack/within.ts';
import { pearson } from '../../../../src/stats/pearson.ts';

/** Tasks of 1 to 70 rows, with three yes-or-no features and one number; rewards are pass or fail, or partial credit too. */
const anySet = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 6 }), fc.boolean())
  .chain(([sizes, isPassFail]) => {
    const reward = isPassFail ? fc.constantFrom(0, 1) : fc.constantFrom(0, 0.25, 0.5, 1);
    const bit = fc.constantFrom(0, 1);
    const row = fc.record({ reward, a: bit, b: bit, c: bit, number: fc.integer({ min: 0, max: 9 }) });
    const tasks = sizes.map((size) => fc.array(row, { minLength: size, maxLength: size }));
    return fc.tuple(...tasks);
  })
  .map((tasks) => tasks.flatMap((rows, task) => rows.map((row) => ({ scenario_id: `t${task}`, ...row }))));

const featureOf = (graded: Graded, name: string): Feature => ({
  ...columnOf(
    name,
    Float64Array.from(graded.rows, (row) => Number(row[name])),
  ),
  aliases: [],
});

/** The definition: both sides less the mean of their task, then the ordinary correlation without any mean. */
function plainRho(values: ArrayLike<number>, rewards: ArrayLike<number>, tasks: readonly unknown[]): number {
  const less = (list: ArrayLike<number>) => {
    const sums = new Map<unknown, { sum: number; n: number }>();
    for (const [at, task] of tasks.entries()) {
      const { sum, n } = sums.get(task) ?? { sum: 0, n: 0 };
      sums.set(task, { sum: sum + (list[at] as number), n: n + 1 });
    }
    return tasks.map((task, at) => (list[at] as number) - (sums.get(task)?.sum ?? 0) / (sums.get(task)?.n ?? 1));
  };
  const [x, y] = [less(values), less(rewards)];
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
  const spread = Math.sqrt(dot(x, x) * dot(y, y));
  return spread < 1e-9 ? 0 : dot(x, y) / spread;
}

it('correlates as the definition says, as rewards were given and as a shuffle deals them', () => {
  fc.assert(
    fc.property(anySet, fc.infiniteStream(fc.integer({ min: 0, max: 2 ** 20 })), (rows, draws) => {
      const graded = gradedRows(rows, 'reward');
      const tasks = graded.rows.map(({ scenario_id }) => scenario_id);
      const deal = givenDeal(graded);
      for (const _ of [1, 2]) {
        for (const name of ['a', 'b', 'number']) {
          const feature = featureOf(graded, name);
          expect(rho(ready(feature, graded), deal)).toBeCloseTo(plainRho(feature.values, deal.centred, tasks), 9);
        }
        dealAnew(deal, (end) => (draws.next().value as number) % end);
      }
    }),
    { numRuns: 30 },
  );
});

it('a shuffle moves rewards within their task alone', () => {
  fc.assert(
    fc.property(anySet, fc.infiniteStream(fc.integer({ min: 0, max: 2 ** 20 })), (rows, draws) => {
      const graded = gradedRows(rows, 'reward');
      const deal = givenDeal(graded);
      dealAnew(deal, (end) => (draws.next().value as number) % end);
      const ofTask = (values: Float64Array, task: number) =>
        values.slice(graded.starts[task], graded.starts[task + 1]).toSorted();
      for (let task = 0; task + 1 < graded.starts.length; task++)
        expect(ofTask(deal.centred, task)).toEqual(ofTask(graded.centred, task));
    }),
    { numRuns: 15 },
  );
});

it('joins two features as their column would be measured', () => {
  fc.assert(
    fc.property(anySet, (rows) => {
      const graded = gradedRows(rows, 'reward');
      const tasks = graded.rows.map(({ scenario_id }) => scenario_id);
      const features = ['a', 'b', 'c'].map((name) => ready(featureOf(graded, name), graded));
      const deal = givenDeal(graded);
      const rhos = Float64Array.from(features, (one) => rho(one, deal));
      const joined = conjunctions({ features, rhos }, deal, { seeds: 3, minObs: 2 });
      const pairs = features.flatMap((a, n) => features.slice(n + 1).map((b) => [a, b] as const));
      const expected = pairs.flatMap(([{ feature: a }, { feature: b }]) => {
        const values = Uint8Array.from(a.values, (value, at) => value & (b.values[at] as number));
        const { observed } = columnOf('', values);
        const strength = Math.abs(plainRho(values, graded.centred, tasks));
        const best = Math.max(...[a, b].map(({ values }) => Math.abs(plainRho(values, graded.centred, tasks))));
        const isNarrower = observed >= 2 && observed < a.observed && observed < b.observed;
        return isNarrower && strength > best + 1e-9 ? [{ names: [a.name, b.name].sort(), observed, strength }] : [];
      });
      const found = joined.map(({ parents, observed, rho }) => ({
        names: parents.map(({ name }) => name).sort(),
        observed,
        strength: Math.abs(rho),
      }));
      const byNames = (x: { names: string[] }, y: { names: string[] }) => (x.names.join() < y.names.join() ? -1 : 1);
      expect(found.map(({ names, observed }) => ({ names, observed })).sort(byNames)).toEqual(
        expected.map(({ names, observed }) => ({ names, observed })).sort(byNames),
      );
      for (const [at, one] of found.sort(byNames).entries())
        expect(one.strength).toBeCloseTo(expected.sort(byNames)[at]?.strength ?? 0, 9);
    }),
    { numRuns: 30 },
  );
});

it('pools over all rows as the ordinary correlation does', () => {
  fc.assert(
    fc.property(anySet, (rows) => {
      const graded = gradedRows(rows, 'reward');
      const pooledOf = pooledWith(graded);
      for (const name of ['a', 'number']) {
        const feature = featureOf(graded, name);
        const [pooled, plain] = [pooledOf(ready(feature, graded)), pearson(feature.values, graded.rewards)];
        if (plain === null) expect(pooled).toBeNull();
        else expect(pooled).toBeCloseTo(plain, 9);
      }
    }),
    { numRuns: 20 },
  );
});
