import fc from 'fast-check';
import { expect, it } from 'vitest';
import { selectForRl } from '../../../src/reports/select/select-for-rl.ts';

const call = { tool: 'get', arguments: { id: '1' }, result: { status: 'ok' } };
const group = (task: string, ...rewards: (number | null)[]) =>
  rewards.map((reward, n) => ({
    scenario_id: task,
    rollout_index: n,
    prompt: `ask ${task}`,
    steps: [call],
    final_text: `Reply ${n} about ${task}.`,
    reward,
  }));
const tasksOf = (rows: readonly { scenario_id: string }[]) => [...new Set(rows.map(({ scenario_id }) => scenario_id))];

it('keeps mixed tasks in the band whole, each row with the rate it had before anything went', () => {
  const rows = [...group('mixed', 1, 0, 0, 1), ...group('solved', 1, 1), ...group('hard', ...Array(9).fill(0), 1)];
  const { kept, rejected, report } = selectForRl(rows);
  expect(tasksOf(kept)).toEqual(['mixed']);
  expect(kept[0]).toMatchObject({ calibration: { task_id: 'mixed', n: 4, pass_rate: 0.5 } });
  expect(report.rejections).toEqual({ always_solved: 2, too_hard: 10 });
  expect(report.unanimous_groups).toEqual({ always_solved: 1, never_solved: 0 });
  expect(rejected.length + kept.length).toBe(rows.length);
});

it('repeats do not move the difficulty of a task', () => {
  const rows = group('t', 1, ...Array(9).fill(0)).map((row) => ({
    ...row,
    final_text: row.reward === 1 ? 'Yes.' : 'No.',
  }));
  expect(selectForRl(rows).report).toMatchObject({ n_selected: 0, band_dropped: { too_hard: 1 } });
  expect(selectForRl(rows, { enforceBand: false }).kept).toHaveLength(2);
});

it('a rollout that was cut off rides along under keep, without a vote', () => {
  const rows = group('t', 1, 0, 1).map((row, n) => (n === 2 ? { ...row, finish_reason: 'length' } : row));
  const alone = group('u', 1, 0).map((row, n) => (n === 1 ? { ...row, finish_reason: 'length' } : row));
  const { kept, rejected, report } = selectForRl([...rows, ...alone], { truncated: 'keep' });
  expect(kept.map((row) => row.rollout_index)).toEqual([0, 1, 2]);
  expect(kept[2]).toMatchObject({ overlong: true, reward: 1, markers: { finished: 0 } });
  expect(rejected.map(({ row, reason }) => [row.scenario_id, reason])).toEqual([
    ['u', 'collapsed'],
    ['u', 'collapsed'],
  ]);
  expect(report).toMatchObject({ truncated_kept: 2, truncated_selected: 1 });
});

it('rejections name the row that was given, not the copy that was marked', () => {
  const rows = group('t', 1, 1).map((row) => ({ ...row, finish_reason: 'length' }));
  const before = structuredClone(rows);
  const { rejected } = selectForRl(rows, { truncated: 'penalize' });
  expect(new Set(rejected.map(({ row }) => row))).toEqual(new Set(rows));
  expect(rows).toEqual(before);
});

it('a rollout that a step limit cut in the middle of a call is truncated, not junk', () => {
  const ends = (finish_reason: string, content: string) => [
    { role: 'user', content: 'ask' },
    { role: 'assistant', content, tool_calls: [{ name: 'get', arguments: {} }] },
    { role: 'tool', content: '{}' },
    ...(finish_reason === 'stop' ? [{ role: 'user', content: 'Thanks ###STOP###' }] : []),
  ];
  const rows = [1, 0, 0].map((reward, n) => {
    const finish_reason = n === 2 ? 'length' : 'stop';
    const ended = n === 2 ? {} : { ended_by: 'user' };
    const final_text = `I look it up, ${n}.`;
    return {
      scenario_id: 't',
      rollout_index: n,
      final_text,
      messages: ends(finish_reason, final_text),
      reward,
      finish_reason,
      ...ended,
    };
  });
  expect(selectForRl(rows).report.rejections).toEqual({ truncated: 1 });
  expect(selectForRl(rows, { truncated: 'keep' }).kept).toHaveLength(3);
});

it('never splits a group at the target', () => {
  const rows = [...group('a', 1, 0, 1, 0), ...group('b', 1, 0, 1, 0)];
  const { kept, report } = selectForRl(rows, { target: 3 });
  expect(kept).toHaveLength(4);
  expect(report.rejections).toEqual({ over_target: 4 });
});

it('drops what the round before solved or never solved', () => {
  const rows = [...group('a', 1, 0), ...group('b', 1, 0), ...group('c', 1, 0)];
  const { kept, report } = selectForRl(rows, { prior: [...group('a', 1, 1), ...group('b', 0, 0)] });
  expect(tasksOf(kept)).toEqual(['c']);
  expect(report.rejections).toEqual({ prior_solved: 2, prior_unsolved: 2 });
  expect(report.n).toBe(2);
});

it('a set without replies is selected by its rewards, and says so', () => {
  const rows = group('a', 1, 0).map(({ steps: _, final_text: __, ...row }) => row);
  const { kept, report } = selectForRl(rows);
  expect(kept).toHaveLength(2);
  expect(report.warning_codes).toContain('text_gates_skipped');
});

it('an upside-down band, and an option it does not know, are refused', () => {
  expect(() => selectForRl([], { lo: 0.9, hi: 0.1 })).toThrow(/TM_OPTIONS.*lo/);
  expect(() => selectForRl([], { truncate: 'keep' } as never)).toThrow(/TM_OPTIONS.*truncate/s);
});

const anyRow = fc.record({
  scenario_id: fc.constantFrom('a', 'b', 'c'),
  prompt: fc.constantFrom('ask', 'ask again'),
  final_text: fc.constantFrom('Yes.', 'No.', 'Maybe so.', '', `${'word '.repeat(50)}and`),
  reward: fc.constantFrom(0, 1, 1, 0, null, 0.5),
  finish_reason: fc.constantFrom('stop', 'length'),
});
const anyRows = fc
  .array(anyRow, { maxLength: 24 })
  .map((rows) => rows.map((row, n) => ({ ...row, rollout_id: `r${String(n).padStart(2, '0')}` })));
const anyOptions = fc.record({
  truncated: fc.constantFrom('drop' as const, 'keep' as const, 'penalize' as const),
  order: fc.constantFrom('spread' as const, 'middle' as const),
  enforceBand: fc.boolean(),
  target: fc.constantFrom(2, 1000),
});

it('no order of the rows changes the selection, and every row is kept or has a reason', () => {
  fc.assert(
    fc.property(anyRows, anyOptions, fc.infiniteStream(fc.nat()), (rows, options, keys) => {
      const ranks = new Map(rows.map((row) => [row, keys.next().value]));
      const shuffled = rows.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
      const { kept, rejected, report } = selectForRl(rows, options);
      const again = selectForRl(shuffled, options);
      expect(again.kept).toEqual(kept);
      expect(again.report).toEqual(report);
      const ids = [...kept, ...rejected.map(({ row }) => row)].map(({ rollout_id }) => rollout_id);
      expect(ids.sort()).toEqual(rows.map(({ rollout_id }) => rollout_id).sort());
    }),
    { numRuns: 60 },
  );
});
