import fc from 'fast-check';
import { expect, it } from 'vitest';
import { labelOf } from '../../../src/grid/allocation/allocator.ts';
import { allocateSequential } from '../../../src/grid/allocation/schedule.ts';

const k = 8;
const group = fc.array(fc.constantFrom(0, 1), { minLength: k, maxLength: k });
const groups = fc.array(group, { minLength: 1, maxLength: 12 });

it('finishes one mixed group before it opens the next, and leaves at most one cut', () => {
  const { rollouts_per_prompt } = allocateSequential(
    [
      [0, 1, 0, 1, 0, 1, 0, 1],
      [1, 1, 1, 1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 1, 0, 1, 0, 1, 0],
    ],
    { k, budget: 20 },
  );
  expect(rollouts_per_prompt).toEqual([8, 2, 3, 7]);
});

it('spends the whole budget, or fills every group', () => {
  fc.assert(
    fc.property(groups, fc.nat({ max: 120 }), (rewards, budget) => {
      const { rows, rollouts_per_prompt } = allocateSequential(rewards, { k, budget });
      return rows === Math.min(budget, rewards.length * k) && rollouts_per_prompt.every((played) => played <= k);
    }),
  );
});

it('fills every group that split, except the one the budget cut', () => {
  fc.assert(
    fc.property(groups, fc.integer({ min: k, max: 96 }), (rewards, budget) => {
      const { verdicts, rollouts_per_prompt } = allocateSequential(rewards, { k, budget });
      const cut = verdicts.filter((verdict, n) => {
        const seen = new Set(rewards[n]?.slice(0, rollouts_per_prompt[n]));
        return verdict === 'partial' && seen.size > 1;
      });
      return cut.length <= 1;
    }),
  );
});

it('gives no label to a row that the judge left unjudged', () => {
  expect(labelOf({ reward: null, behavior_signature: 'abc' }, true)).toBeUndefined();
  expect(labelOf({ reward: Number.NaN, behavior_signature: 'abc' }, true)).toBeUndefined();
  expect(labelOf({ behavior_signature: 'abc' }, false)).toBe('abc');
  expect([0, 0.4, 0.5, 1].map((reward) => labelOf({ reward }, true))).toEqual([0, 0, 1, 1]);
});

it('does not call groups mixed when one verdict of each failed', () => {
  const rewards = Array.from({ length: 4 }, () => [1, null, 1, 1]);
  expect(allocateSequential(rewards, { k: 4, budget: 16 }).groups).toMatchObject({ mixed: 0, complete: 4 });
});
