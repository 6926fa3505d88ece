import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizeJudgeResult } from '../../src/judges/normalize-judge-result.ts';

const anyAnswer = fc.oneof(
  fc.anything(),
  fc.record({ reward: fc.anything(), score: fc.anything(), reason: fc.anything() }, { requiredKeys: [] }),
  fc.double(),
);

it('gives a reward from 0 to 1 exactly when the status is ok, whatever a judge returns', () => {
  fc.assert(
    fc.property(anyAnswer, (raw) => {
      const { reward, judge_status } = normalizeJudgeResult(raw);
      if (judge_status === 'ok') expect(reward !== null && reward >= 0 && reward <= 1).toBe(true);
      else expect(reward).toBeNull();
    }),
  );
});

it('maps a scale to 0 to 1 in order, its ends to 0 and 1', () => {
  const scaled = (raw: number) => normalizeJudgeResult(raw, { scale: [-3, 7] }).reward ?? Number.NaN;
  expect([scaled(-3), scaled(7)]).toEqual([0, 1]);
  fc.assert(
    fc.property(fc.double({ min: -3, max: 7, noNaN: true }), fc.double({ min: -3, max: 7, noNaN: true }), (a, b) => {
      expect(scaled(Math.min(a, b))).toBeLessThanOrEqual(scaled(Math.max(a, b)));
    }),
  );
});

it('stores a negative zero as 0', () => {
  expect(Object.is(normalizeJudgeResult(-0).reward, 0)).toBe(true);
  expect(Object.is(normalizeJudgeResult({ score: -0 }).reward, 0)).toBe(true);
});

it('keeps the status of a judge that says why it could not judge', () => {
  const verdict = normalizeJudgeResult({ reward: null, judge_status: 'missing_reward', reason: 'no reference', n: 1 });
  expect(verdict).toEqual({
    reward: null,
    reason: 'no reference',
    judge_status: 'missing_reward',
    judge_meta: { n: 1 },
  });
  expect(normalizeJudgeResult({ reward: null, judge_status: 'ok' }).judge_status).toBe('invalid_result');
});

it('refuses a scale without width', () => {
  expect(() => normalizeJudgeResult(3, { scale: [5, 5] })).toThrowErrorMatchingInlineSnapshot(
    `[TracemillError: TM_OPTIONS: scale must be [low, high] with low < high, got [5, 5]]`,
  );
  expect(() => normalizeJudgeResult(3, { scale: [0, Number.NaN] })).toThrow('TM_OPTIONS');
});
