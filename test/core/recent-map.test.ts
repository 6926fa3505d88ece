import { expect, it } from 'vitest';
import { RecentMap } from '../../src/core/recent-map.ts';

it('keeps the keys set last, and setting one again makes it the latest', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
  map.delete('a');
  map.set('d', 5);
  expect([...map.keys()]).toEqual(['c', 'd']);
});

it('forgets a key that is undefined like any other', () => {
  const map = new RecentMap<string | undefined, number>(1);
  map.set(undefined, 1).set('a', 2);
  expect([...map]).toEqual([['a', 2]]);
});
