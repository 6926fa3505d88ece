import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTruncated } from '../../../src/reports/select/is-truncated.ts';
import { nextRound } from '../../../src/reports/select/next-round.ts';
import { trimOutOfBand } from '../../../src/reports/select/trim-out-of-band.ts';

const group = (task: string, ...rewards: (number | null)[]) =>
  rewards.map((reward, n) => ({ scenario_id: task, rollout_index: n, reward }));

it('keeps both ends of the band, and singles and unanimous groups whatever they say', () => {
  const inside = [...group('lo', 1, 0, 0, 0, 0), ...group('hi', 1, 1, 1, 1, 0)];
  const alone = [...group('one', 1), ...group('all', 1, 1, 1)];
  const outside = [...group('hard', ...Array(9).fill(0), 1), ...group('easy', ...Array(9).fill(1), 0)];
  const { kept, rejected, report } = trimOutOfBand([...inside, ...outside, ...alone]);
  expect(kept).toEqual([...inside, ...alone]);
  expect(new Set(rejected.map(({ row, reason }) => `${row.scenario_id}:${reason}`))).toEqual(
    new Set(['hard:too_hard', 'easy:too_easy']),
  );
  expect(report).toMatchObject({ n_groups_dropped: 2, too_easy: 1, too_hard: 1, from_rates: 0 });
});

it('a task that was graded here does not listen to the rate it carries', () => {
  const rows = group('t', 1, 0).map((row) => ({ ...row, pass_rate: 0.99, n: 100 }));
  expect(trimOutOfBand(rows).kept).toHaveLength(2);
});

it('no order of the rows changes what is kept, and every row is accounted for', () => {
  const rows = fc.array(
    fc.record({ scenario_id: fc.constantFrom('a', 'b'), reward: fc.constantFrom(0, 1, null, 0.5) }),
  );
  fc.assert(
    fc.property(rows, fc.infiniteStream(fc.nat()), (input, keys) => {
      const ranks = new Map(input.map((row) => [row, keys.next().value]));
      const shuffled = input.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
      const there = trimOutOfBand(input);
      expect(there.kept.length + there.rejected.length).toBe(input.length);
      expect(new Set(trimOutOfBand(shuffled).kept)).toEqual(new Set(there.kept));
    }),
  );
});

it('the next round drops what is solved or hopeless and tries what is unknown', () => {
  const prior = [...group('solved', 1, 1), ...group('hopeless', 0, 0), ...group('mixed', 1, 0), ...group('dark', null)];
  const { tasks, ...report } = nextRound(prior);
  expect(tasks.map((row) => row['scenario_id'])).toEqual(['dark', 'mixed']);
  expect(report).toMatchObject({ kept: 1, dropped_solved: 1, dropped_unsolved: 1, unknown: 1 });
});

it.each([
  [{ finish_reason: 'length', final_text: 'All good.' }, true],
  [{ ended_by: 'step_limit', final_text: 'All good.' }, true],
  [{ ended_by: 'user_stop', final_text: 'All good.' }, false],
  [{ final_text: `${'词'.repeat(250)}。` }, false],
  [{ final_text: `${'word '.repeat(50)}and` }, true],
  [{ final_text: `${'word '.repeat(50)}\n- a last point` }, false],
])('%j: truncated %s', (row, truncated) => expect(isTruncated(row)).toBe(truncated));
