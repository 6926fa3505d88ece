import { expect, it } from 'vitest';
import { holdoutSummary } from '../../../src/reports/runs/holdout-summary.ts';
import { trainerLogMetrics } from '../../../src/reports/runs/trainer-metrics.ts';

it('names the log of a trainer as runs do and drops timings', () => {
  const logs = {
    'rewards/a/b': '0.5',
    eval_samples_per_second: 3,
    eval_loss: 1,
    'objective/kl': 2,
    step: 4,
    reward: true,
  };
  expect(trainerLogMetrics(logs)).toEqual({ reward_a_b: 0.5, eval_loss: 1, kl: 2 });
});

it('refuses a pass rate in percent, but not a loss above 1', () => {
  expect(() => holdoutSummary(0.4, 58)).toThrow(/numbers from 0 to 1/);
  expect(() => holdoutSummary(Number.NaN, 1, { metric: 'loss' })).toThrow(/finite/);
  expect(holdoutSummary(1.9, 1.4, { metric: 'loss' })).toEqual({ holdoutLossBefore: 1.9, holdoutLossAfter: 1.4 });
});
