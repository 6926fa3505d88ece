import { expect, it } from 'vitest';
import { accumulate, type Fold, foldBy, foldRows } from '../../src/core/fold.ts';

const total: Fold<number, { sum: number }, number> = {
  start: () => ({ sum: 0 }),
  add(state, row) {
    state.sum += row;
  },
  merge(into, from) {
    into.sum += from.sum;
  },
  end: ({ sum }) => sum,
};

it('makes the same report from a list, a row at a time, and from two halves', () => {
  const [all, half] = [accumulate(total), accumulate(total)];
  all.add(1);
  expect(all.end()).toBe(1);
  half.add(2);
  half.add(3);
  all.merge(half);
  expect([all.end(), half.end(), foldRows(total, [1, 2, 3])]).toEqual([6, 5, 6]);
});

it('makes one report a group, in the order of the names, leaving out rows without one', () => {
  const byParity = foldBy(total, (row) => (row === 0 ? undefined : row % 2 ? 'odd' : 'even'));
  const left = accumulate(byParity);
  for (const row of [1, 0, 3]) left.add(row);
  const right = accumulate(byParity);
  for (const row of [5, 2]) right.add(row);
  left.merge(right);
  expect([...left.end()]).toEqual([
    ['even', 2],
    ['odd', 9],
  ]);
  expect(right.end().get('odd')).toBe(5);
});
