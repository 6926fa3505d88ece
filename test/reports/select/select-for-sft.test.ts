import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPreferencePairs } from '../../../src/reports/select/build-preference-pairs.ts';
import { calibrate, carryCalibration } from '../../../src/reports/select/calibrate.ts';
import { selectForSft } from '../../../src/reports/select/select-for-sft.ts';
import { trimUnanimousGroups } from '../../../src/reports/select/trim-unanimous-groups.ts';

const rules = ['top_per_prompt', 'random_per_prompt', 'top_k_overall', 'random_k_overall'] as const;
const anyRows = fc
  .array(
    fc.record({
      prompt: fc.constantFrom('a', 'A ', 'b'),
      final_text: fc.constantFrom('Yes.', 'No.', 'I cannot.', ''),
      reward: fc.constantFrom(1, 0.5, 0, null),
    }),
    { maxLength: 20 },
  )
  .map((rows) => rows.map((row, n) => ({ ...row, rollout_id: `r${n}` })));
const shuffle = <T>(rows: readonly T[], keys: Iterator<number>): T[] => {
  const ranks = new Map(rows.map((row) => [row, keys.next().value as number]));
  return rows.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
};

it.each(rules)('%s: no order of the rows changes what is taken, every row is accounted for', (select) => {
  fc.assert(
    fc.property(anyRows, fc.infiniteStream(fc.nat()), (rows, keys) => {
      const options = { select, minReward: 0.5, target: 3 };
      const { kept, rejected, report } = selectForSft(rows, options);
      const again = selectForSft(shuffle(rows, keys), options);
      expect(again.kept).toEqual(kept);
      expect(again.report).toEqual(report);
      expect(kept.length + rejected.length).toBe(rows.length);
    }),
  );
});

it('the random rules draw anew with another seed', () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({
    rollout_id: `r${n}`,
    prompt: `p${n}`,
    final_text: 'Yes.',
    reward: 1,
  }));
  const draw = (seed: number) => selectForSft(rows, { select: 'random_k_overall', k: 5, seed }).kept;
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

it('shows every behaviour once before any twice', () => {
  const rows = ['Yes.', 'Yes.', 'Yes.', 'I cannot.'].map((final_text, n) => ({
    prompt: `p${n}`,
    final_text,
    reward: 1,
  }));
  expect(selectForSft(rows, { target: 2 }).report).toMatchObject({ unique_behaviors: 2, behaviors_covered: 2 });
});

it('pairs the chosen reply with the rejected one closest in length, and never one reply with itself', () => {
  const row = (final_text: string, reward: number) => ({ prompt: 'p', final_text, reward });
  const rows = [row('A good answer.', 1), row('Bad.', 0), row('A bad answer..', 0), row('A  GOOD answer.', 0)];
  const { pairs, rejected, report } = buildPreferencePairs(rows);
  expect(pairs).toMatchObject([{ chosen: rows[0], rejected: rows[2], length_delta: 0 }]);
  expect(report.identical_sides).toBe(1);
  expect(2 * pairs.length + rejected.length).toBe(rows.length);
  expect(() => buildPreferencePairs([], { minMargin: 0 })).toThrow(/TM_OPTIONS/);
});

it('a stamp from more rollouts stays; a policy that is a prompt is hashed', () => {
  const row = (rollout_id: string, reward: number) => ({ rollout_id, scenario_id: 's', reward });
  const stamp = { task_id: 's', n: 16, pass_rate: 0.25, pass_rate_ci95: null };
  const rows = [{ ...row('a', 1), calibration: stamp }, row('b', 0)];
  const { rows: stamped, report } = calibrate(rows, { policy: 'You are kind.' });
  expect(stamped.map((one) => ('calibration' in one ? one.calibration : undefined))).toMatchObject([
    { n: 16, pass_rate: 0.25 },
    { n: 2, pass_rate: 0.5 },
  ]);
  expect(report).toMatchObject({
    n_stamped: 2,
    n_carried: 1,
    student: { prompt_hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  expect(rows[1]).not.toHaveProperty('calibration');
  expect(carryCalibration(rows, [{ scenario_id: 'other' }]).report).toMatchObject({
    n_tasks: 1,
    n_stamped: 0,
    tasks: [],
  });
});

it('drops groups that agree from two rollouts on, and leaves singles alone', () => {
  const row = (scenario_id: string, reward: number) => ({ scenario_id, reward });
  const rows = [row('one', 1), row('all', 0), row('all', 0), row('mixed', 0), row('mixed', 1)];
  const { kept, rejected, report } = trimUnanimousGroups(rows);
  expect(kept.map(({ scenario_id }) => scenario_id)).toEqual(['one', 'mixed', 'mixed']);
  expect(rejected.map(({ reason }) => reason)).toEqual(['unanimous', 'unanimous']);
  expect(report).toMatchObject({ n_groups_dropped: 1, signal: { n_mixed: 1, n_single: 1 } });
  expect(trimUnanimousGroups(rows, { minK: 3 }).kept).toHaveLength(5);
});
