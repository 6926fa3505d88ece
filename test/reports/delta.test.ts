import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deltaFold, deltaReport } from '../../src/reports/delta/index.ts';
import { anyRow, foldLaw } from '../fold-law.ts';

type Rows = Readonly<Record<string, unknown>>[];
/** Rows of tasks that pass `passes[i]` of `k` times, each with the fields of `more`. */
const run = (passes: readonly number[], more: (task: number, index: number) => object = () => ({}), k = 4): Rows =>
  passes.flatMap((c, at) =>
    Array.from({ length: k }, (_, index) => ({ task_id: `t${at}`, reward: index < c ? 1 : 0, ...more(at, index) })),
  );
const many = (c: number, n = 12) => Array.from({ length: n }, () => c);
const marked = (values: object) => () => ({ markers: values });

const dated = fc.record({ side: fc.constantFrom('before', 'after'), row: anyRow });
foldLaw('deltaReport', deltaFold({ target: 'grounded', mustNotRegress: ['polite'], by: 'finish_reason' }), dated);
foldLaw('deltaReport with listed markers', deltaFold({ markers: ['polite'], proxy: 'grounded', runStd: 0.05 }), dated);

it('a misspelt guard fails the gate and is named', () => {
  const report = deltaReport(run(many(1)), run(many(3)), { target: 'pass_at_1', mustNotRegress: ['honset'] });
  expect(report).toMatchObject({ ok: false, guards_not_measured: ['marker:honset'], headline_verdict: 'FAIL' });
  expect(report.warning_codes).toContain('guard_not_measured');
});

it('a gate with nothing measured does not pass', () => {
  expect(deltaReport([], []).ok).toBe(false);
  expect(deltaReport(run(many(1)), [{ task_id: 't0', reward: null }]).ok).toBe(false);
  expect(deltaReport(run(many(1)), run(many(3)), { target: 'polite' })).toMatchObject({
    ok: false,
    target_verdict: 'target_not_measured',
  });
});

it('a guard that fell from all 1 to all 0 is a regression and not degenerate', () => {
  const report = deltaReport(run(many(2), marked({ honest: 1 })), run(many(2), marked({ honest: 0 })), {
    mustNotRegress: ['honest'],
  });
  expect(report).toMatchObject({ ok: false, regressions: ['marker:honest'], degenerate_guards: [] });
  const still = deltaReport(run(many(2), marked({ honest: 1 })), run(many(2), marked({ honest: 1 })), {
    mustNotRegress: ['honest'],
  });
  expect(still).toMatchObject({ ok: true, degenerate_guards: ['marker:honest'] });
});

it('without a target a fall of the pass rate is a warning, with it the gate closes', () => {
  const [before, after] = [run(many(3)), run(many(1))];
  expect(deltaReport(before, after)).toMatchObject({ ok: true, slipped: ['pass_at_1'] });
  expect(deltaReport(before, after, { target: 'pass_at_1' })).toMatchObject({
    ok: false,
    target_verdict: 'moved_the_wrong_way',
  });
});

it('a metric without a re-run floor does not borrow that of another', () => {
  const [before, after] = [run(many(1), marked({ calm: 0 })), run(many(3), marked({ calm: 1 }))];
  const report = deltaReport(before, after, { target: 'calm', runStd: { pass_at_1: 0.01 } });
  expect(report).toMatchObject({
    noise_band: null,
    replicated: false,
    target_verdict: 'moved_unreplicated',
    run_std_by_metric: { pass_at_1: 0.01, 'marker:calm': null },
  });
  expect(report.metrics['marker:calm']?.noise_note).toBe('no_replicate_floor');
  expect(report.warning_codes).toContain('no_rerun_floor');
});

it('a move inside the re-run noise is no move, and a spread from few runs makes a wider band', () => {
  const [before, after] = [run(many(2)), run(many(3))];
  const inside = deltaReport(before, after, { target: 'pass_at_1', runStd: 0.1 });
  expect(inside).toMatchObject({
    target_verdict: 'within_eval_noise',
    improved: [],
    within_noise: ['pass_at_1'],
    headline_verdict: 'NO DIFFERENCE',
  });
  expect(deltaReport(before, after, { target: 'pass_at_1', runStd: 0.02 })).toMatchObject({
    target_verdict: 'moved',
    headline_verdict: 'PASS',
  });
  expect(deltaReport(before, after, { target: 'pass_at_1', runStd: 0.02, runStdRuns: 2 }).target_verdict).toBe(
    'within_eval_noise',
  );
});

it('pools the spread of repeated runs of both sides', () => {
  const runs = (rates: readonly number[]) =>
    rates.flatMap((c, eval_run) => run(many(c), () => ({ lineage: { eval_run } })));
  const report = deltaReport(runs([1, 2, 1]), runs([3, 3, 4]), { target: 'pass_at_1' });
  expect(report).toMatchObject({ run_std_source: 'eval_run', eval_runs: { before: 3, after: 3 }, replicated: true });
  expect(report.run_std).toBeCloseTo(0.25 / Math.sqrt(3), 10);
  expect(deltaReport(runs([1, 2]), runs([3, 3]), { target: 'pass_at_1' }).warning_codes).toContain('two_runs_rough');
});

it('a proxy that rises alone is over-optimized', () => {
  const report = deltaReport(run(many(2), marked({ train: 0 })), run(many(2), marked({ train: 1 })), {
    target: 'pass_at_1',
    proxy: 'train',
  });
  expect(report).toMatchObject({ ok: false, over_optimized: true, proxy_verdict: 'moved' });
  expect(deltaReport(run(many(2)), run(many(3)), { proxy: 'pass_at_1' }).proxy_verdict).toBe('proxy_is_target');
});

it('ten guards with Holm need more evidence than one guard by itself', () => {
  const others = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`g${at}`, 1]));
  const side = (low: number) => run(many(2, 8), (task) => ({ markers: { ...others, a: task < low ? 0 : 1 } }));
  const mustNotRegress = ['a', ...Object.keys(others)];
  const alone = deltaReport(side(0), side(6), { mustNotRegress });
  expect(alone).toMatchObject({ ok: false, regressions: ['marker:a'] });
  const together = deltaReport(side(0), side(6), { mustNotRegress, guardCorrection: 'holm' });
  expect(together).toMatchObject({ ok: true, regressions: [] });
  expect(together.metrics['marker:a']?.p_adjusted).toBeCloseTo(10 * (alone.metrics['marker:a']?.p_value_mid ?? 0), 10);
});

it('compares groups, also by a marker and by a function, without flipping the gate', () => {
  const before = run([...many(1, 8), ...many(3, 8)], (task) => ({ slice: task < 8 ? 'x' : 'y' }));
  const after = run([...many(4, 8), ...many(1, 8)], (task) => ({ slice: task < 8 ? 'x' : 'y' }));
  const report = deltaReport(before, after, { by: 'slice' });
  expect(report).toMatchObject({
    ok: true,
    groups_down: ['y'],
    groups: { x: { verdict: 'b_better', low_n: false, rows_a: 32 } },
  });
  expect(deltaReport(before, after, { by: ({ slice }) => `s-${String(slice)}` }).groups_down).toEqual(['s-y']);
  expect(deltaReport(before, after, { by: 'nothing' }).warning_codes).toContain('no_shared_group');
});

it('says what makes two runs incomparable', () => {
  const side = (more: object, c = 2) => run(many(c), () => more);
  const reasons = (a: object, b: object, more = {}) => deltaReport(side(a), side(b), more).not_comparable;
  expect(reasons({ policy_version: 'm@a' }, { policy_version: 'm@b' })).toEqual(['prompt_hash']);
  expect(reasons({ policy_version: 'm@a' }, { policy_version: 'm@b' }, { promptIsTheChange: true })).toEqual([]);
  expect(reasons({ user_model: 'u' }, { user_model: 'v' })).toEqual(['user_model']);
  expect(reasons({ writer_model: 'seed' }, { writer_model: 'template' })).toEqual([]);
  expect(deltaReport(side({ user_model: 'u' }), side({ user_model: 'v' }))).toMatchObject({
    ok: false,
    headline_verdict: 'NOT COMPARABLE',
  });
  const elsewhere = run(many(2)).map((row, at) =>
    at < 32 ? { ...row, task_id: `other ${String(row['task_id'])}` } : row,
  );
  expect(deltaReport(run(many(2)), elsewhere)).toMatchObject({ ok: false, not_comparable: ['situations'] });
});

it('a run that lost its verdicts where the other did not: bounds instead of a clean delta', () => {
  const before = run(many(2));
  const after = run(many(3)).map((row, at) => (at % 4 === 3 ? { ...row, reward: null, judge_status: 'error' } : row));
  const report = deltaReport(before, after, { target: 'pass_at_1' });
  expect(report.unjudged).toEqual({ rows_before: 0, rows_after: 12, differ: true, delta_bounds: [0.25, 0.5] });
  expect(report.warning_codes).toContain('unjudged_differ');
  expect(deltaReport(before, run(many(3))).unjudged).toBeNull();
});

it('trims shared tasks to the same number of rows, the same ones from the same seed', () => {
  const [before, after] = [run(many(2), undefined, 8), run(many(3))];
  const balanced = deltaReport(before, after, { balanceRollouts: true, seed: 3 });
  expect(balanced).toMatchObject({
    balanced: { rows_dropped: { before: 48, after: 0 }, tasks_trimmed: 12 },
    n_rows: { before: 48, after: 48 },
  });
  expect(deltaReport(before, after, { balanceRollouts: true, seed: 3 })).toEqual(balanced);
});

it('refuses a metric in lowerIsBetter that no side measures', () => {
  const rows = run(many(2), marked({ calm: 1 }));
  expect(() => deltaReport(rows, rows, { lowerIsBetter: ['clam'] })).toThrow(/TM_OPTIONS.*clam/);
  expect(
    deltaReport(run(many(2), marked({ calm: 1 })), run(many(2), marked({ calm: 0 })), { lowerIsBetter: ['calm'] })
      .improved,
  ).toEqual(['marker:calm']);
});
