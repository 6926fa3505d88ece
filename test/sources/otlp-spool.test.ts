import { existsSync } from 'node:fs';
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openSpool, type SpoolEntry } from '../../src/sources/otlp-spool.ts';
import { freshFolder } from '../folder.ts';
import { exportOf, request, scene, span } from './otlp-scene.ts';

const entry = (n: number): SpoolEntry => ({
  ...{ path: '/v1/traces', type: 'application/json', encoding: '', receivedMs: n },
  body: Buffer.from(exportOf({ ...span, spanId: `${n}`.repeat(16) })),
});
const leftIn = async (folder: string) => {
  const spool = await openSpool({ folder });
  const found: number[] = [];
  for await (const { entry } of spool.left()) found.push(entry.receivedMs);
  await spool.close();
  return found;
};

it('gives back what was not done, in order, to the next process', async () => {
  const folder = await freshFolder();
  const spool = await openSpool({ folder, segmentBytes: 1 });
  const dones = [];
  for (const n of [1, 2, 3]) dones.push(await spool.append(entry(n)));
  dones[1]?.();
  dones[1]?.();
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(2));
  expect(await leftIn(folder)).toEqual([1, 3]); // as if the first process were killed here
  await spool.close();
});

it('forgets a last request that was cut: nobody had an answer to it', async () => {
  const folder = await freshFolder();
  const spool = await openSpool({ folder });
  await Promise.all([1, 2, 3].map((n) => spool.append(entry(n))));
  await spool.close();
  const [file = ''] = await readdir(folder);
  const path = join(folder, file);
  await truncate(path, (await stat(path)).size - 5);
  expect(await leftIn(folder)).toEqual([1, 2]);
});

it('leaves no file when everything is done', async () => {
  const folder = await freshFolder();
  const spool = await openSpool({ folder });
  for (const done of await Promise.all([1, 2].map((n) => spool.append(entry(n))))) done();
  await spool.close();
  expect([existsSync(folder), spool.bytes()]).toEqual([false, 0]);
});

it('refuses what is more than its disk may hold', async () => {
  const folder = await freshFolder();
  const spool = await openSpool({ folder, maxBytes: 400 });
  await spool.append(entry(1));
  await expect(spool.append(entry(2))).rejects.toMatchObject({ reason: 'spool_full' });
  await spool.close();
});

it('answers from the spool while the run is held up, and loses nothing of what it answered', async () => {
  const folder = await freshFolder();
  const held = scene({}, { spool: await openSpool({ folder }) }, { write: () => new Promise(() => {}) });
  expect((await held.receiver.fetch(request())).status).toBe(200);
  expect(held.records).toEqual([]); // killed here
  const next = scene({}, { spool: await openSpool({ folder }) });
  expect(await next.receiver.replay()).toBe(1);
  await next.end();
  expect(next.records).toMatchObject([{ span_id: span.spanId }]);
  // what is stored is forgotten a moment later
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), { timeout: 10_000 });
});

it('counts verdicts that are read again after a kill as verdicts, like those that come', async () => {
  const folder = await freshFolder();
  const scores = JSON.stringify({ trace_id: span.traceId, name: 'helpful', value: 1 });
  const held = scene({}, { spool: await openSpool({ folder }) }, { write: () => new Promise(() => {}) });
  await held.receiver.fetch(request());
  await held.receiver.fetch(request({ path: '/v1/scores', body: scores }));
  const next = scene({}, { spool: await openSpool({ folder }) });
  expect(await next.receiver.replay()).toBe(2);
  await next.end();
  const verdicts = [held, next].map(({ counters }) => counters.snapshot().map(({ counts }) => counts['verdict']));
  expect(verdicts.map((all) => all.filter((n) => n !== undefined))).toEqual([[1], [1]]);
});

it('sends the sender away when the spool cannot be written', async () => {
  const folder = await freshFolder();
  const spool = await openSpool({ folder, maxBytes: 10 });
  const full = scene({}, { spool });
  expect((await full.receiver.fetch(request())).status).toBe(429);
  const broken = scene({}, { spool: { ...spool, append: () => Promise.reject(new Error('no disk')) } });
  expect((await broken.receiver.fetch(request())).status).toBe(503);
  await Promise.all([full.end(), broken.end()]);
  expect([...full.records, ...broken.records]).toEqual([]);
});

it('listen told of -300000 spans while 300000 verdicts waited for the disk, and counted those that came to no disk', async () => {
  const spool = await openSpool({ folder: await freshFolder() });
  let store: (isStored: boolean) => void = () => {};
  const isStored = () =>
    new Promise<boolean>((resolve) => {
      store = resolve;
    });
  const append = async () => {
    if (await isStored()) return () => {};
    throw new Error('no disk');
  };
  const { receiver, counters, end } = scene({}, { spool: { ...spool, append } });
  const figures = () => {
    const all = counters.snapshot();
    const out = all.find(({ operator }) => operator === 'source')?.out ?? 0;
    return [out, all.find(({ operator }) => operator === 'otlp')?.counts['verdict'] ?? 0];
  };
  const body = JSON.stringify([1, 0].map((value) => ({ trace_id: span.traceId, name: 'helpful', value })));
  const said = [];
  for (const answer of [false, true]) {
    const asked = receiver.fetch(request({ path: '/v1/scores', body }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    said.push(figures());
    store(answer);
    said.push((await asked).status, figures());
  }
  expect(said).toEqual([[0, 0], 503, [0, 0], [0, 0], 200, [2, 2]]);
  await end();
});
