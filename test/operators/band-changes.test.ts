import fc from 'fast-check';
import { from, lastValueFrom, Subject, toArray } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Rejection } from '../../src/core/operator.ts';
import { bandChanges } from '../../src/operators/band-changes.ts';
import { bandFilter } from '../../src/operators/band-filter.ts';
import { group } from '../../src/operators/group.ts';
import type { BandChange } from '../../src/rows/band-change.ts';
import type { Group } from '../../src/rows/group.ts';
import type { Row } from '../../src/rows/row.ts';
import { operatorContract } from '../contract.ts';

operatorContract(bandChanges);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const row = (rollout_id: string, task_id: string, reward: number | null, more: object = {}): Row => ({
  rollout_id,
  task_id,
  final_text: 'Done.',
  reward,
  ...more,
});
const changesOf = (rows: readonly Row[], options: object = {}) =>
  lastValueFrom(from(rows).pipe(bandChanges(options), toArray()));
const inside = (changes: readonly BandChange[]): string[] => {
  const last = new Map(changes.map(({ task_id, change }) => [task_id, change]));
  return [...last].flatMap(([task, change]) => (change === 'entered' ? [task] : [])).sort();
};

it('tells each way a task goes, with its rate, its interval and why', async () => {
  const rows = [
    row('a', 't', 1),
    row('b', 't', 0),
    ...['c', 'd', 'e', 'f'].map((id) => row(id, 't', 1)),
    row('g', 't', 0),
  ];
  const changes = await changesOf(rows);
  expect(changes.map(({ change, reason, n, pass_rate }) => [change, reason, n, pass_rate])).toEqual([
    ['entered', 'in_band', 2, 0.5],
    ['left', 'too_easy', 6, 5 / 6],
    ['entered', 'in_band', 7, 5 / 7],
  ]);
  expect(changes[1]).toMatchObject({ pass_rate_ci95: [0.4365, 0.9699], band: [0.2, 0.8], cause: '["f","",""]' });
});

it('an ungraded rollout takes its task out until its verdict comes', async () => {
  const told = (revision: number, reward: number | null) => row('c', 't', reward, { revision });
  const changes = await changesOf([row('a', 't', 1), row('b', 't', 0), told(1, null), told(2, 1), told(1, null)]);
  expect(changes.map(({ change, reason }) => [change, reason])).toEqual([
    ['entered', 'in_band'],
    ['left', 'unjudged'],
    ['entered', 'in_band'],
  ]);
});

const anyRows = fc
  .array(
    fc.record({
      task: fc.constantFrom('t', 'u', 'v'),
      reward: fc.constantFrom(0, 1, 1, 0, null),
      finish_reason: fc.constantFrom('stop', 'stop', 'length'),
    }),
    { maxLength: 24 },
  )
  .map((rows) => rows.map(({ task, reward, ...more }, n) => row(`r${n}`, task, reward, more)));

it('ends where bandFilter does, in every order, whatever comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows.chain((rows) =>
        fc.tuple(
          fc.constant(rows),
          fc.shuffledSubarray([...rows, ...rows.slice(0, 5)], { minLength: rows.length + Math.min(5, rows.length) }),
        ),
      ),
      fc.record({
        truncated: fc.constantFrom('drop' as const, 'keep' as const, 'penalize' as const),
        allowUnjudged: fc.boolean(),
      }),
      async ([rows, order], options) => {
        const groups = await lastValueFrom(
          from(rows).pipe(group({}), bandFilter<Group>({ ...options, allowIncomplete: true }), toArray()),
        );
        const changes = await changesOf(order, { ...options, minRollouts: 1 });
        expect(inside(changes)).toEqual(groups.map(({ task_id }) => task_id).sort());
        for (const task of ['t', 'u', 'v']) {
          const ways = changes.filter(({ task_id }) => task_id === task).map(({ change }) => change);
          expect(ways).toEqual(ways.map((_, n) => (n % 2 === 0 ? 'entered' : 'left')));
        }
      },
    ),
  );
});

it('a task that has its k rollouts is finished: a copy is a replay, another rollout is late', async () => {
  const rejected: Rejection<unknown>[] = [];
  const rows = [row('a', 't', 1), row('b', 't', 0), row('a', 't', 1), row('c', 't', 0)];
  const hooks = { reject: (one: Rejection<unknown>) => void rejected.push(one) };
  const changes = await lastValueFrom(from(rows).pipe(bandChanges({ k: 2 }, hooks), toArray()));
  expect([changes.length, rejected.map(({ reason, row }) => [reason, (row as Row).rollout_id])]).toEqual([
    1,
    [['late', 'c']],
  ]);
});

it('forgets a task that is idle, and the one that waited longest when it holds too many', () => {
  const rejected: unknown[] = [];
  const live = new Subject<Row>();
  const changes: BandChange[] = [];
  const hooks = { reject: ({ row }: Rejection<unknown>) => void rejected.push((row as Row).rollout_id) };
  live.pipe(bandChanges({ maxIdleMs: 1000, maxParked: 3 }, hooks)).subscribe((one) => changes.push(one));
  for (const one of [row('a', 't', 1), row('b', 'u', 1), row('c', 'u', 0), row('d', 'u', 0)]) live.next(one);
  live.next(row('e', 't', 0)); // t gave way to u
  vi.advanceTimersByTime(3000);
  live.next(row('f', 'u', 0));
  expect([inside(changes), rejected]).toEqual([['u'], ['e', 'f']]);
});
