import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accumulate, type Fold, foldRows } from '../src/core/fold.ts';

/** Rows as the reports meet them: few tasks, every kind of reward, markers, settings. */
export const anyRow = fc.record(
  {
    scenario_id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    reward: fc.constantFrom<unknown>(0, 1, 1, 0, null, 0.5, '1', true, Number.NaN),
    judge_status: fc.constantFrom('ok', 'ok', 'ok', 'error'),
    markers: fc.record(
      {
        grounded: fc.constantFrom<unknown>(0, 1, 0.1, 0.7, Number.NaN),
        polite: fc.double({ min: 0, max: 3, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    final_text: fc.constantFrom('yes', 'no', '<think>cut'),
    finish_reason: fc.constantFrom('stop', 'length'),
    policy_version: fc.constantFrom('p@1', 'p@2'),
    sampling: fc.constantFrom({ temperature: 0 }, { temperature: 1 }),
    lineage: fc.record({ eval_run: fc.constantFrom(0, 1, 2) }),
    logprob: fc.constantFrom(-3, -1.5, -20),
    n_tokens: fc.constantFrom(2, 5, 11),
  },
  { requiredKeys: ['scenario_id'] },
);

/** Any split and any order of the rows makes the same report, and a report made twice is the same. One call a fold. */
export function foldLaw<State, Out>(
  name: string,
  fold: Fold<unknown, State, Out>,
  row: fc.Arbitrary<unknown> = anyRow,
) {
  it(`${name}: any split and order of the rows makes the same figures`, () => {
    const placed = fc.array(fc.tuple(row, fc.nat(2), fc.nat(1000)), { maxLength: 40 });
    fc.assert(
      fc.property(placed, (rows) => {
        const whole = foldRows(
          fold,
          rows.map(([one]) => one),
        );
        const parts = [0, 1, 2].map((part) => {
          const taken = rows.filter(([, to]) => to === part).toSorted(([, , a], [, , b]) => a - b);
          const accumulator = accumulate(fold);
          for (const [one] of taken) accumulator.add(one);
          return accumulator;
        });
        const [into, ...others] = parts.toReversed();
        for (const other of others) into?.merge(other);
        expect(into?.end()).toEqual(whole);
        expect(into?.end()).toEqual(whole);
      }),
    );
  });
}
