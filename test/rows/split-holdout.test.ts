import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitHoldout } from '../../src/rows/split-holdout.ts';

it('puts every task wholly on one side, whatever else is in the list', () => {
  const row = fc.record({ scenario_id: fc.integer({ min: 1, max: 40 }).map((n) => `s${n}`), id: fc.nat() });
  fc.assert(
    fc.property(fc.array(row), fc.double({ min: 0.1, max: 0.6, noNaN: true }), (some, fraction) => {
      const rows = [...some, ...Array.from({ length: 40 }, (_, n) => ({ scenario_id: `s${n + 1}`, id: n }))];
      const { train, holdout } = splitHoldout(rows, { fraction });
      const held = new Set(holdout.map(({ scenario_id }) => scenario_id));
      expect(train.filter(({ scenario_id }) => held.has(scenario_id))).toEqual([]);
      expect(train.length + holdout.length).toBe(rows.length);
    }),
  );
});

it('refuses a fraction that leaves nothing to train on', () => {
  const held = [{ prompt: 'p' }];
  expect(() => splitHoldout(held, { fraction: 0.999_999_999 })).toThrow('leaves no row to train on');
  expect(() => splitHoldout(held, { fraction: 1 })).toThrow('between 0 and 1');
  expect(() => splitHoldout(held, { fraction: Number.NaN })).toThrow('between 0 and 1');
});
