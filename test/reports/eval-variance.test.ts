import { expect, it } from 'vitest';
import { evalVariance, evalVarianceFold } from '../../src/reports/eval-variance.ts';
import { detectableEffect } from '../../src/reports/sizing/detectable-effect.ts';
import { holdoutSize } from '../../src/reports/sizing/holdout-size.ts';
import { noiseBand } from '../../src/stats/noise-band.ts';
import { foldLaw } from '../fold-law.ts';

foldLaw('evalVariance', evalVarianceFold());
foldLaw('evalVariance by field', evalVarianceFold({ by: 'finish_reason', metric: 'grounded' }));

const run = (passes: readonly number[], more: object = {}) =>
  passes.flatMap((c, at) => [0, 1, 2, 3].map((index) => ({ task_id: `t${at}`, reward: index < c ? 1 : 0, ...more })));

it('uses Student t for a spread that came from two runs: 12.7, not 1.96', () => {
  const found = evalVariance([run([2, 2, 2]), run([2, 2, 3])]);
  expect(found.noise_band_df).toBe(1);
  expect(found.noise_band).toBeCloseTo(12.706 * Math.SQRT2 * (0.25 / 3 / Math.SQRT2), 2);
  expect(found.note_codes).toEqual(['few_runs']);
});

it('counts run 0 as a run and says which rows name none', () => {
  const rows = [
    ...run([1, 2], { lineage: { eval_run: 0 } }),
    ...run([1, 3], { lineage: { eval_run: 1 } }),
    ...run([4]),
  ];
  const found = evalVariance([rows]);
  expect(found).toMatchObject({ n_runs: 2, means: { 0: 0.375, 1: 0.5 }, n_unkeyed: 4, tasks_in_every_run: 2 });
  expect(found.note_codes).toEqual(['unkeyed_rows', 'few_runs']);
});

it('refuses a call without lists of rows', () => {
  expect(() => evalVariance([])).toThrow(/TM_OPTIONS/);
  expect(() => evalVariance(['rows' as never])).toThrow(expect.objectContaining({ reason: 'type_error' }));
  expect(() => noiseBand(0.1, 0, 1)).toThrow(/TM_OPTIONS/);
});

it('the detectable effect is the root of the sizing: as many tasks find it', () => {
  for (const [nTasks, base, k] of [
    [50, 0.6, 4],
    [200, 0.3, 8],
    [400, 0.1, 4],
    [60, 0, 4],
  ] as const) {
    const effect = detectableEffect(nTasks, { base, k }) as number;
    expect(Math.abs(holdoutSize(effect, { base, k }).n_tasks - nTasks)).toBeLessThanOrEqual(1);
  }
  expect(detectableEffect(50, { base: 1 })).toBeNull();
  expect(detectableEffect(2, { base: 0.6 })).toBeNull();
});

it('a saturated pilot does not answer two tasks', () => {
  const full = holdoutSize(0.05, { before: run([4, 4, 4, 4]), after: run([4, 4, 4, 4]) });
  expect(full).toMatchObject({ saturated: true, n_tasks: 367, warning_codes: ['saturated'], sd_source: 'model' });
});

it('refuses a pilot that cannot tell a spread', () => {
  expect(() => holdoutSize(0.1, { after: run([1]) })).toThrow(/after needs before/);
  expect(() => holdoutSize(0.1, { before: run([1, 2]), after: run([1, 2]) })).toThrow(/share 2 judged tasks/);
  expect(() => holdoutSize(0.1, { before: [{ task_id: 'a' }] })).toThrow(/no row of before/);
});
