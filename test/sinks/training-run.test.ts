import { expect, it, vi } from 'vitest';
import { type RunCall, trainingRun } from '../../src/sinks/training-run.ts';

const endpoint = (isUp: () => boolean = () => true) => {
  const calls: { readonly path: string; readonly steps: readonly number[]; readonly body: Record<string, unknown> }[] =
    [];
  const call: RunCall = async ({ path, body }) => {
    const { points = [] } = body as { readonly points?: readonly { readonly step: number }[] };
    calls.push({ path, steps: points.map(({ step }) => step), body: structuredClone(body) as Record<string, unknown> });
    if (!isUp()) throw new Error('503');
  };
  return { calls, call };
};

it('sends what waits with the first point after 15 s', async () => {
  let now = 1_000;
  const { calls, call } = endpoint();
  const run = trainingRun('r', { call, clock: () => now });
  await run.log(1, { loss: 2 });
  expect(calls).toEqual([]);
  now += 15_000;
  await run.log(2, { loss: 1 });
  expect(calls[0]?.body['points']).toEqual([
    { step: 1, ts: 1, loss: 2 },
    { step: 2, ts: 16, loss: 1 },
  ]);
});

it('does not storm a server that is down, warns once, and then sends all in order', async () => {
  let isUp = false;
  const { calls, call } = endpoint(() => isUp);
  const warn = vi.fn();
  const run = trainingRun('r', { call, clock: () => 0, warn }, { flushEvery: 2 });
  for (let step = 0; step < 50; step++) await run.log(step, { loss: 1 });
  expect([calls.length, run.errors(), warn.mock.calls.length]).toEqual([1, 1, 1]);
  await run.flush();
  isUp = true;
  await run.flush();
  expect(calls.at(-1)?.steps).toEqual(Array.from({ length: 50 }, (_, step) => step));
  expect([run.errors(), warn.mock.calls.length]).toEqual([2, 1]);
});

it('sends no point twice when two flushes meet', async () => {
  const { calls, call } = endpoint();
  const run = trainingRun('r', { call, clock: () => 0 });
  void run.log(1, { loss: 1 });
  await Promise.all([run.flush(), run.flush(), run.finish()]);
  expect(calls.map(({ path }) => path)).toEqual(['/runs/r/log', '/runs/r/finish']);
});

it('says once how many steps there are, and cuts a long error', async () => {
  const { calls, call } = endpoint();
  const run = trainingRun('r', { call, clock: () => 0 }, { flushEvery: 1 });
  await run.progress(1, 10);
  await run.progress(2);
  await run.finish('failed', { error: 'x'.repeat(3000) });
  expect(calls.map(({ body }) => body['total_steps'])).toEqual([10, undefined, undefined]);
  expect(String(calls[2]?.body['error'])).toHaveLength(2000);
  expect(run.status()).toBe('failed');
});
