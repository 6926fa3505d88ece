import { expect, it } from 'vitest';
import { binaryLabel, groupLabel, rewardOf } from '../../src/rows/label.ts';
import { markerValue } from '../../src/rows/marker-value.ts';

it('reads exactly 0 and 1, also as text, and nothing else as a verdict', () => {
  const read = (reward: unknown) => binaryLabel({ reward });
  expect([0, -0, 1, 1.0, '0', '1', ' 1.0 ', '1e0'].map(read)).toEqual([0, 0, 1, 1, 0, 1, 1, 1]);
  for (const not of [true, false, null, undefined, 0.5, 2, Number.NaN, '', 'pass', '0x1', [1], { reward: 1 }, '0.5'])
    expect(read(not)).toBeUndefined();
});

it('falls back to the older reward in groups only', () => {
  const row = { reward: 0.5, qwen_reward: 1 };
  expect([binaryLabel(row), groupLabel(row)]).toEqual([undefined, 1]);
  expect(groupLabel({ reward: 0, qwen_reward: 1 })).toBe(0);
});

it('tells a marker that was not measured from one that is no number', () => {
  const row = {
    markers: { a: 0.5, flag: true, off: false, text: '0.25', nan: Number.NaN, inf: '-inf', word: 'x', none: null },
  };
  const read = (name: string) => markerValue(row, name);
  expect(['a', 'flag', 'off', 'text'].map(read)).toEqual([0.5, 1, 0, 0.25]);
  expect(['nan', 'inf', 'word'].map(read)).toEqual(['invalid', 'invalid', 'invalid']);
  expect(['none', 'missing', 'toString'].map(read)).toEqual([undefined, undefined, undefined]);
  expect([markerValue({}, 'a'), markerValue({ markers: null }, 'a'), markerValue({ markers: 'x' }, 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('a rollout that the grading service lost is no failure, though its reward says 0', () => {
  for (const judge_status of ['missing_reward', 'invalid_result', 'error', 'timeout']) {
    expect(binaryLabel({ reward: 0, judge_status })).toBeUndefined();
    expect(groupLabel({ reward: 1, judge_status })).toBeUndefined();
    expect(rewardOf({ reward: 0.5, judge_status })).toBeUndefined();
  }
  expect(groupLabel({ reward: 0, usable: false })).toBeUndefined();
  expect(groupLabel({ reward: 0, judge_status: 'ok', usable: true })).toBe(0);
});

it('reads partial credit where any reward counts', () => {
  expect(
    [{ reward: 0.75 }, { reward: '0.5' }, { qwen_reward: 0 }, { reward: Number.NaN, qwen_reward: 1 }].map(rewardOf),
  ).toEqual([0.75, 0.5, 0, 1]);
  expect([{ reward: true }, { reward: null }, { reward: Infinity }, {}].map(rewardOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
