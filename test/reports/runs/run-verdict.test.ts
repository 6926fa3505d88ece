import { expect, it } from 'vitest';
import { deltaSummary } from '../../../src/reports/runs/delta-summary.ts';
import { runVerdict } from '../../../src/reports/runs/run-verdict.ts';

const pass = (before: number, after: number, verdict?: string | null) => ({
  holdoutPassBefore: before,
  holdoutPassAfter: after,
  ...(verdict !== undefined && { holdout: { verdict } }),
});

it.each([
  [pass(0.4, 0.6, 'moved'), 'Better'],
  [pass(0.4, 0.6, 'moved_unreplicated'), 'About the same'],
  [pass(0.4, 0.6, 'within_eval_noise'), 'About the same'],
  [pass(0.6, 0.4, 'moved_the_wrong_way'), 'Worse'],
  [pass(0.6, 0.4, 'no_change_detected'), 'About the same'],
  [pass(0.6, 0.4, 'moved'), 'About the same'],
  [pass(0.4, 0.6), 'Better'],
  [pass(0.4, 0.6, null), 'Better'],
  [pass(0.4, 0.42), 'About the same'],
  [pass(0.4, 0.43), 'Better'],
  [pass(0.43, 0.4), 'Worse'],
  [{ holdoutLossBefore: 1.5, holdoutLossAfter: 1.2 }, 'Better'],
  [{ holdoutLossBefore: 1.2, holdoutLossAfter: 1.5 }, 'Worse'],
  [{ holdoutLossBefore: 1.2, holdoutLossAfter: 1.21 }, 'About the same'],
  [{ holdoutPassBefore: 0.4 }, null],
  [{ holdoutPassBefore: null, holdoutPassAfter: null }, null],
  [{}, null],
])('says of %j: %s', (summary, said) => expect(runVerdict(summary)).toBe(said));

const rows = (passes: number) =>
  Array.from({ length: 40 }, (_, n) => ({
    scenario_id: `s${n % 10}`,
    rollout_index: n,
    reward: Number(n % 10 < passes),
  }));

it('notes both sides of a held-out set with their tasks, groups and intervals', () => {
  const summary = deltaSummary(rows(3), rows(8));
  expect(summary).toMatchObject({
    holdoutPassBefore: 0.3,
    holdoutPassAfter: 0.8,
    holdout: { before: { pass: 0.3, n_tasks: 10, k: 4 }, after: { pass: 0.8 }, note: null },
    delta: { target: 'pass_at_1' },
  });
  expect(summary.holdout.verdict).toBe(summary.delta.target_verdict);
  expect(summary.holdout.before.ci95).toHaveLength(2);
});

it('has no pass rate where nothing was graded', () => {
  const summary = deltaSummary([], []);
  expect(summary).not.toHaveProperty('holdoutPassBefore');
  expect(summary.holdout.before).toEqual({ pass: null, n_tasks: 0, k: null, ci95: null });
});
