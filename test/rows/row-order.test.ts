import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json-object.ts';
import { inRowOrder, rowId } from '../../src/rows/row-order.ts';

const anyRow: fc.Arbitrary<JsonObject> = fc.record(
  {
    rollout_id: fc.constantFrom('b', 'a#00000001', 0, '', null),
    scenario_id: fc.constantFrom('a', 'a!', 'a#', 'b', 7, '', null),
    rollout_index: fc.constantFrom(0, 1, 2, 10, -1, 1.5, 1e8, 'one', null),
  },
  { requiredKeys: [] },
);
/** Whole scenarios with their places in order, as a run writes them, and other rows between. */
const anyRun = fc
  .tuple(fc.constantFrom('a', 'a!', 'a#', 'b'), fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }))
  .map(([scenario_id, places]) =>
    places.sort((a, b) => a - b).map((rollout_index) => ({ scenario_id, rollout_index })),
  );
const anyRows = fc
  .array(fc.oneof(anyRun, fc.array(anyRow, { maxLength: 2 })), { maxLength: 8 })
  .map((runs) => runs.flat());

it('puts rows in the order of their ids, those without one last, equal ones as they came', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const named = rows.map((row, at) => ({ id: rowId(row), at }));
      const plain = named.toSorted((a, b) => {
        if (a.id === b.id) return a.at - b.at;
        if (a.id === undefined || b.id === undefined) return a.id === undefined ? 1 : -1;
        return a.id < b.id ? -1 : 1;
      });
      const places = new Map<JsonObject, number>(rows.map((row, at) => [row, at]));
      expect(inRowOrder(rows).map((row) => places.get(row))).toEqual(plain.map(({ at }) => at));
    }),
    { numRuns: 500 },
  );
});
