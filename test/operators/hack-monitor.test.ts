import { from, lastValueFrom, toArray } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { hackMonitor } from '../../src/operators/hack-monitor.ts';
import type { MonitorEvent } from '../../src/rows/monitor-event.ts';
import { operatorContract } from '../contract.ts';

operatorContract(hackMonitor);

const evaluation = (run_id: string, step: number, length: number): MonitorEvent => ({
  type: 'eval',
  run_id,
  step,
  groups: [[{ text: 'x'.repeat(length), proxy: 0 }]],
});
const told = async (
  events: readonly MonitorEvent[],
  given: Parameters<typeof hackMonitor>[0] = {},
  hooks: Parameters<typeof hackMonitor>[1] = {},
) =>
  (await lastValueFrom(from(events).pipe(hackMonitor(given, hooks), toArray()))).map(
    (one) => `${one.run_id} ${one.step} ${'kind' in one ? one.kind : one.type}`,
  );
const [short, long] = [evaluation('a', 0, 10), evaluation('a', 10, 20)];

it('holds each run against itself alone, and forgets one that ended', async () => {
  const other = evaluation('b', 10, 90);
  expect(await told([short, other, long])).toEqual(['a 0 history', 'b 10 history', 'a 10 history', 'a 10 length']);
  expect(await told([short, { type: 'end', run_id: 'a' }, long])).toEqual(['a 0 history', 'a 10 history']);
});

it('forgets the run unheard of for longest, not the one that came first', async () => {
  const events = [short, evaluation('b', 0, 10), { type: 'log', run_id: 'a', step: 1 } as const];
  const late = [evaluation('c', 0, 1), long, evaluation('b', 10, 20)];
  expect((await told([...events, ...late], { maxRuns: 2 })).slice(3)).toEqual([
    'a 10 history',
    'a 10 length',
    'b 10 history',
  ]);
});

it('rejects what is no event and goes on', async () => {
  const reject = vi.fn();
  const broken = { type: 'eval', run_id: 'a', step: 5 } as unknown as MonitorEvent;
  expect(await told([short, broken, long], {}, { reject })).toHaveLength(3);
  expect(reject.mock.calls).toMatchObject([[{ row: broken, reason: 'error', by: 'hack-monitor' }]]);
});
