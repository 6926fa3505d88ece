import { expect, it } from 'vitest';
import { logprobFold, logprobReport } from '../../src/reports/logprobs/logprob-report.ts';
import { meanKl } from '../../src/reports/logprobs/mean-kl.ts';
import { stalenessFold, stalenessReport } from '../../src/reports/logprobs/staleness-report.ts';
import { foldLaw } from '../fold-law.ts';

foldLaw('logprobReport', logprobFold);
foldLaw('stalenessReport', stalenessFold({ baseModel: 'm' }));

const row = (task_id: string, logprob: number, ref_logprob: number, n_tokens = 10) => ({
  task_id,
  logprob,
  ref_logprob,
  n_tokens,
});

it('a NaN log-probability does not make the divergence NaN', () => {
  expect(meanKl([row('a', -5, -6), row('b', Number.NaN, -1)])).toMatchObject({ mean_kl: 0.1, n_rows: 1, n_skipped: 1 });
});

it('refuses rows whose reference counted other tokens', () => {
  const report = meanKl([
    { ...row('a', -5, -6), ref_n_tokens: 11 },
    { ...row('b', -4, -6), ref_n_tokens: 10 },
  ]);
  expect(report).toMatchObject({ mean_kl: 0.2, n_skipped: 1, n_token_mismatch: 1, per_task: { b: 0.2 } });
});

it('gives k3 where tokens are known: never negative though k1 is', () => {
  const tokens = { n_tokens: 2, token_logprobs: [-1, -1], ref_token_logprobs: [-0.5, -0.5] };
  const report = meanKl([{ task_id: 'a', logprob: -2, ref_logprob: -1, ...tokens }]);
  expect(report.mean_kl).toBe(-0.5);
  expect(report.mean_kl_k3).toBeCloseTo(Math.exp(0.5) - 1.5, 5);
  expect(meanKl([row('a', -2, -1, 2)]).mean_kl_k3).toBeNull();
});

it('matches a second list by row key, the first one wins, with an interval from three tasks', () => {
  const own = ['a', 'b', 'c'].map((task_id, at) => ({ task_id, rollout_id: task_id, logprob: -at - 1, n_tokens: 10 }));
  const ref = [...own.map(({ rollout_id }) => ({ rollout_id, logprob: -4 })), { rollout_id: 'a', logprob: 0 }];
  const report = meanKl(own, ref);
  expect(report.per_task).toEqual({ a: 0.3, b: 0.2, c: 0.1 });
  expect(report.ci95?.[0]).toBeLessThan(0);
  expect(meanKl(own.slice(1), ref).ci95).toBeNull();
});

it('warns when the reward follows the confidence of the policy, and of cut steps', () => {
  const rows = [1, 0, 1, 0].map((reward) => ({
    reward,
    logprob: reward ? -1 : -9,
    n_tokens: 10,
    steps: [{ truncated: reward === 0 }],
  }));
  expect(logprobReport(rows)).toMatchObject({
    corr_reward_confidence: 1,
    n_truncated: 2,
    warning_codes: ['reward_tracks_confidence', 'truncated'],
  });
  expect(logprobReport([{ reward: 1, logprob: -1, n_tokens: 0 }]).warning_codes).toEqual(['no_logprobs']);
});

it('counts rows of another model as stale, also those that name none', () => {
  const report = stalenessReport([{ model_version: 'm', policy_version: 'm@1', sampling: { temperature: 1 } }, {}], {
    baseModel: 'm',
  });
  expect(report).toMatchObject({ stale: 1, stale_share: 0.5, temperatures: { 1: 1 } });
  expect(report.warning_codes).toEqual(['many_versions', 'stale_rows', 'missing_logprob', 'missing_sampling']);
});
