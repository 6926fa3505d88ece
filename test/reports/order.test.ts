import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decontaminate } from '../../src/reports/guard/decontaminate/index.ts';
import { dedupeGroups } from '../../src/reports/guard/dedupe-groups.ts';
import { filterRlRows } from '../../src/reports/select/filter-rl-rows.ts';
import { selectForRl } from '../../src/reports/select/select-for-rl.ts';
import { selectForSft } from '../../src/reports/select/select-for-sft.ts';
import { trimOutOfBand } from '../../src/reports/select/trim-out-of-band.ts';
import { trimUnanimousGroups } from '../../src/reports/select/trim-unanimous-groups.ts';
import type { Row } from '../../src/rows/row.ts';

interface Decided {
  readonly kept: readonly Row[];
  readonly rejected: readonly { readonly row: Row; readonly reason: string }[];
}
const evaluation = [{ scenario_id: 'c', prompt: 'Is it open?' }, { prompt: 'ask a' }];
const rules: Readonly<Record<string, (rows: readonly Row[]) => Decided>> = {
  selectForRl: (rows) => selectForRl<Row>(rows),
  'selectForRl, penalize': (rows) => selectForRl<Row>(rows, { truncated: 'penalize', order: 'middle' }),
  selectForSft: (rows) => selectForSft<Row>(rows),
  'selectForSft, random': (rows) => selectForSft<Row>(rows, { select: 'random_per_prompt' }),
  filterRlRows: (rows) => filterRlRows<Row>(rows),
  trimUnanimousGroups: (rows) => trimUnanimousGroups<Row>(rows),
  trimOutOfBand: (rows) => trimOutOfBand<Row>(rows),
  dedupeGroups: (rows) => dedupeGroups<Row>(rows),
  decontaminate: (rows) => decontaminate<Row>(rows, evaluation),
};
const anyRows = fc
  .array(
    fc.record({
      task: fc.constantFrom('a', 'b', 'c'),
      final_text: fc.constantFrom('Yes.', 'No.', '', `${'word '.repeat(50)}and`),
      reward: fc.constantFrom(0, 1, 0.5, null),
    }),
    { maxLength: 16 },
  )
  .map((rows) =>
    rows.map(
      ({ task, ...row }, n): Row => ({
        ...row,
        rollout_id: `r${String(n).padStart(2, '0')}`,
        scenario_id: task,
        prompt: `ask ${task}`,
      }),
    ),
  );

it.each(Object.keys(rules))('%s decides the same in any order, and accounts for every row', (name) => {
  const rule = rules[name] as (rows: readonly Row[]) => Decided;
  const told = ({ kept, rejected }: Decided) =>
    [
      ...kept.map((row) => [row.rollout_id, 'kept']),
      ...rejected.map(({ row, reason }) => [row.rollout_id, reason]),
    ].sort();
  fc.assert(
    fc.property(
      anyRows.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, order]) => {
        const decided = told(rule(rows));
        expect(decided.map(([id]) => id)).toEqual(rows.map(({ rollout_id }) => rollout_id));
        expect(told(rule(order))).toEqual(decided);
      },
    ),
  );
});
