import { expect, it } from 'vitest';
import { publishGate } from '../../../src/reports/guard/publish-gate.ts';

const group = (task: string, ...rewards: (number | null)[]) =>
  rewards.map((reward, n) => ({
    scenario_id: task,
    prompt: `ask ${task}`,
    final_text: `Reply ${n} to ${task}.`,
    reward,
  }));
const mixed = group('a', 1, 0, 1, 0);
const refusalOf = (rows: readonly Record<string, unknown>[], options = {}) =>
  publishGate(rows, { strict: false, ...options }).report.refusal?.code ?? null;

it.each([
  ['mixed groups', mixed, {}, null],
  ['groups that agree', group('a', 1, 1), {}, 'no_mixed_groups'],
  ['the same, as a set for supervised training', group('a', 1, 1), { mode: 'sft' }, null],
  ['groups without grades', group('a', null, null), {}, 'ungraded_rl_rows'],
  ['one rollout a task', [...group('a', 1), ...group('b', 1)], {}, null],
  [
    'a reply that quotes its answer key',
    mixed.map((row) => ({ ...row, privileged: { reference: 'Reply 1 to a.' } })),
    { mode: 'sft' },
    'privileged_leak',
  ],
  ['rows that repeat an evaluation', mixed, { against: [{ prompt: 'Ask a!' }] }, 'contaminated'],
])('%s', (_what, rows, options, refusal) => expect(refusalOf(rows, options)).toBe(refusal));

it('throws a refusal whose reason programs can read', () => {
  expect(() => publishGate(group('a', 1, 1))).toThrow(
    expect.objectContaining({ code: 'TM_GATE', reason: 'no_mixed_groups' }),
  );
});

it('judges the rows that will be uploaded, and gives those held out back', () => {
  const rows = Array.from({ length: 20 }, (_, n) => group(`task ${n}`, 1, 0)).flat();
  const { rows: train, holdout, report } = publishGate(rows, { holdout: 0.3 });
  expect(train.length + holdout.length).toBe(rows.length);
  expect(report).toMatchObject({ n: train.length, n_holdout: holdout.length, calibration: { n_rows: train.length } });
  expect(train[0]).toMatchObject({ calibration: { pass_rate: 0.5 } });
});
