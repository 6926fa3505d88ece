import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareRuns, compareRunsFold } from '../../src/reports/compare-runs.ts';
import { anyRow, foldLaw } from '../fold-law.ts';

/** Rows of tasks that pass `passes[i]` of `k` times. */
const run = (passes: readonly number[], k = 4, name = 't') =>
  passes.flatMap((c, at) =>
    Array.from({ length: k }, (_, index) => ({ task_id: `${name}${at}`, reward: index < c ? 1 : 0 })),
  );

foldLaw('compareRuns', compareRunsFold(), fc.record({ side: fc.constantFrom('a', 'b'), row: anyRow }));
foldLaw(
  'compareRuns of a marker',
  compareRunsFold({ metric: 'grounded', minPaired: 2 }),
  fc.record({ side: fc.constantFrom('a', 'b'), row: anyRow }),
);

it('five tasks all up by a quarter are no proof: the smallest exact p is 1 in 16', () => {
  const found = compareRuns(run([1, 1, 1, 1, 1]), run([2, 2, 2, 2, 2]));
  expect(found).toMatchObject({ delta: 0.25, p_value: 0.0625, verdict: 'insufficient_data', ci95: [0.25, 0.25] });
  expect(compareRuns(run([1, 1, 1, 1, 1, 1]), run([2, 2, 2, 2, 2, 2]))).toMatchObject({
    p_value: 0.03125,
    verdict: 'b_better',
  });
});

it('three tasks against three others decide nothing, four against four may', () => {
  expect(compareRuns(run([0, 0, 0]), run([4, 4, 4], 4, 'u')).verdict).toBe('insufficient_data');
  expect(compareRuns(run([0, 0, 0, 1]), run([4, 4, 4, 3], 4, 'u'))).toMatchObject({
    verdict: 'b_better',
    paired: false,
    p_value: null,
    ci_method: 'welch_t',
  });
});

it('the interval alone does not decide: the sign-flip test has to agree', () => {
  // one huge gain among small losses: any interval of the mean is wide, and 7 signs say nothing
  const found = compareRuns(run([0, 2, 2, 2, 2, 2, 2]), run([4, 2, 2, 2, 2, 2, 1]));
  expect(found.verdict).toBe('no_difference_detected');
});

it('one NaN marker does not hide a collapse from 1 to 0', () => {
  const marked = (value: number, first: unknown = value) =>
    Array.from({ length: 12 }, (_, at) => ({ task_id: `t${at}`, markers: { m: at === 0 ? first : value } }));
  expect(compareRuns(marked(1, Number.NaN), marked(0), { metric: 'm' })).toMatchObject({
    verdict: 'a_better',
    n_paired: 11,
    n_invalid: 1,
    delta: -1,
  });
});

it('a marker that is better when lower turns the verdict and no number', () => {
  const marked = (name: string, value: number) =>
    Array.from({ length: 8 }, (_, at) => ({ task_id: `t${at}`, markers: { [name]: value } }));
  expect(compareRuns(marked('refusal', 1), marked('refusal', 0), { metric: 'refusal' })).toMatchObject({
    verdict: 'b_better',
    delta: -1,
    lower_is_better: true,
  });
  expect(compareRuns(marked('turns', 1), marked('turns', 0), { metric: 'turns' }).verdict).toBe('a_better');
  expect(
    compareRuns(marked('turns', 1), marked('turns', 0), { metric: 'turns', lowerIsBetter: ['turns'] }).verdict,
  ).toBe('b_better');
  expect(
    compareRuns(marked('refusal', 1), marked('refusal', 0), { metric: 'refusal', lowerIsBetter: { refusal: false } })
      .verdict,
  ).toBe('a_better');
});

it('mean_b - mean_a is not delta when tasks were dropped, and the paired means say so', () => {
  const found = compareRuns([...run([0, 0, 0, 0, 0, 0]), ...run([4, 4], 4, 'only')], run([2, 2, 2, 2, 2, 2]));
  expect(found).toMatchObject({
    mean_a: 0.25,
    mean_b: 0.5,
    delta: 0.5,
    paired_mean_a: 0,
    paired_mean_b: 0.5,
    note_codes: ['tasks_dropped'],
  });
});

it('turns with the sides: what b gains over a, a loses to b', () => {
  const passes = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 12 });
  const turned = { a_better: 'b_better', b_better: 'a_better' } as Readonly<Record<string, string>>;
  fc.assert(
    fc.property(passes, (pairs) => {
      const [a, b] = [run(pairs.map(([left]) => left)), run(pairs.map(([, right]) => right))];
      const [one, other] = [compareRuns(a, b), compareRuns(b, a)];
      expect(other.delta).toBeCloseTo(-(one.delta ?? Number.NaN), 12);
      expect(other.p_value).toBe(one.p_value);
      expect(other.verdict).toBe(turned[one.verdict] ?? one.verdict);
    }),
  );
});
