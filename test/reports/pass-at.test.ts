import { expect, it } from 'vitest';
import { foldRows } from '../../src/core/fold.ts';
import { groupSignalFold } from '../../src/reports/group-signal.ts';
import { passAt, passAtFold } from '../../src/reports/pass-at/index.ts';
import { runConfig, runConfigFold } from '../../src/reports/run-config.ts';
import { foldLaw } from '../fold-law.ts';

/** Rows of tasks by the rewards of their rollouts. */
const rowsOf = (tasks: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(tasks).flatMap(([task_id, rewards]) =>
    rewards.map((reward, rollout_index) => ({
      task_id,
      rollout_index,
      reward,
      final_text: `${task_id} ${rollout_index}`,
    })),
  );

foldLaw('passAt', passAtFold({ minK: 2 }));
foldLaw('passAt with imputed groups', passAtFold({ k: 3, minK: 1, unanimousShort: true }));
foldLaw('groupSignal', groupSignalFold());
foldLaw('runConfig', runConfigFold());

it('ten passing singles and three failing groups have no negative headroom', () => {
  const singles = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`s${at}`, [1]]));
  const fails = { a: [0, 0, 0, 0], b: [0, 0, 0, 0], c: [0, 0, 0, 0] };
  const report = passAt(rowsOf({ ...singles, ...fails }));
  expect(report).toMatchObject({ k: 4, pass_at_k: 0, headroom: 0, n_groups: 13, n_groups_at_k: 3 });
  expect(report.pass_at_1).toBeCloseTo(10 / 13);
});

it('a set that always passes does not claim an interval of no width', () => {
  const always = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((task) => [task, [1, 1, 1, 1]]));
  const report = passAt(rowsOf(always));
  expect(report.ci95?.[0]).toBeCloseTo(0.4252, 4);
  expect(report.note_codes).toEqual(['degenerate']);
});

it('a NaN score makes no mean NaN: it is skipped and counted', () => {
  const report = passAt(rowsOf({ a: [1, Number.NaN, 0], b: [Infinity, 1] }));
  expect(report).toMatchObject({ pass_at_1: 0.75, n_rows: 3, n_rows_total: 5, unused: { invalid: 2 } });
});

it('90 of 100 judgements failed: the report says that it stands on 10 rows', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    task_id: `t${at % 20}`,
    ...(at < 90 ? { reward: null, judge_status: 'error' } : { reward: 1, judge_status: 'ok' }),
  }));
  const report = passAt(rows);
  expect(report).toMatchObject({
    n_rows: 10,
    n_rows_total: 100,
    unused: { judge_failed: 90 },
    n_groups: 10,
    n_tasks_total: 20,
  });
  expect(report.warning_codes).toContain('rows_unused');
  expect(report.warnings[0]).toBe('10 of 100 rows are used (90 the judge failed on). 10 of 20 tasks have none.');
});

it('infrastructure killed most trials: the one that survived is no pass^k of 100 %', () => {
  const dead = (task_id: string) => ({ task_id, reward: 0, judge_status: 'error' });
  const rows = [
    { task_id: 'a', reward: 1 },
    ...['a', 'a', 'a', 'b', 'b', 'b', 'b'].map(dead),
    { task_id: 'b', reward: 0, usable: false },
  ];
  const report = passAt(rows);
  expect(report).toMatchObject({
    pass_at_1: 1,
    pass_pow_k: null,
    pass_at_k: null,
    n_rows: 1,
    n_rows_total: 9,
    tasks_without_verdict: ['b'],
    unused: { judge_failed: 7, unusable: 1 },
  });
  expect(report.note_codes).toContain('set_repeats');
  expect(report.warning_codes).toEqual(['rows_unused']);
});

it('repeats answered from a response cache are named as such', () => {
  const cached = ['a', 'b'].flatMap((task_id) =>
    [1, 1, 1, 1].map((reward) => ({ task_id, reward, final_text: `answer of ${task_id}`, steps: [] })),
  );
  const report = passAt([...cached, ...rowsOf({ c: [1, 0, 1, 1] })]);
  expect(report).toMatchObject({ n_groups_identical: 2, warning_codes: ['identical_rollouts'] });
  expect(report.warnings[0]).toContain('response cache');
  expect(passAt(rowsOf({ c: [1, 1, 1, 1] })).n_groups_identical).toBe(0);
  expect(
    passAt([
      { task_id: 'bare', reward: 1 },
      { task_id: 'bare', reward: 1 },
    ]).n_groups_identical,
  ).toBe(0);
});

it('reads the settings of a run, and says which differ', () => {
  const rows = [
    { policy_version: 'm@x', sampling: { temperature: 0 }, final_text: '<think>cut', reward: 0.5 },
    { policy_version: 'm@y', sampling: { temperature: 0 }, final_text: 'done', lineage: null },
    'no row',
  ];
  expect(runConfig(rows)).toMatchObject({
    temperature: 0,
    policy_version: null,
    prompt_hash: null,
    mixed: ['policy_version', 'prompt_hash'],
    answered_share: 0.5,
    unclosed_think_share: 0.5,
    graded_share: 0.5,
  });
});

it('refuses an option it does not know, and a k below 1', () => {
  expect(() => passAtFold({ k: 0 })).toThrow(/TM_OPTIONS/);
  expect(() => passAt([], { mink: 2 } as object)).toThrow(/TM_OPTIONS.*mink/s);
  expect(foldRows(passAtFold(), []).note_codes).toEqual(['no_binary_rewards']);
});
