import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deltaReport } from '../../../src/reports/delta/index.ts';
import { jsonReader } from '../../../src/server/read-json.ts';
import { runRoutes } from '../../../src/server/runs/run-routes.ts';
import { openRunStore } from '../../../src/server/runs/run-store.ts';
import { trainingRun } from '../../../src/sinks/training-run.ts';
import { freshFolder } from '../../folder.ts';
import { liveScene } from '../live.ts';

function scene(path = ':memory:') {
  const base = liveScene();
  const store = openRunStore(path, base.clock);
  const routes = runRoutes({ store, read: jsonReader(), live: base.live });
  const { ask } = liveScene({ live: base.live, parts: [routes] });
  const send = async (method: string, path: string, body?: object) => {
    const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await ask(path, { method, ...init });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { live: base.live, send, store };
}
const point = (step: number, more = {}) => ({ step, ts: step / 10, ...more });

it('keeps a run from its start to its end', async () => {
  const { send, live } = scene();
  const { body: made } = await send('POST', '/runs', {
    name: 'grpo',
    base_model: 'm',
    total_steps: 9,
    config: { lr: 1 },
  });
  const run = `/runs/${made['runId']}`;
  expect(made['runId']).toMatch(/^run_[0-9a-f]{16}$/);
  expect((await send('POST', `${run}/log`, { points: [point(2, { loss: 0.5 }), point(1, { loss: 1 })] })).status).toBe(
    200,
  );
  await send('POST', `${run}/log`, { points: [point(3, { kl: 2 })], total_steps: 30 });
  const summary = { holdoutPassBefore: 0.4, holdoutPassAfter: 0.6 };
  await send('POST', `${run}/finish`, { status: 'done', summary: { a: 1 } });
  await send('POST', `${run}/finish`, { status: 'failed', summary, adapter: 'x', error: 'e'.repeat(3000) });
  const { body } = await send('GET', run);
  expect(body).toMatchObject({
    ...{ name: 'grpo', base_model: 'm', total_steps: 30, config: { lr: 1 }, status: 'failed', summary, adapter: 'x' },
    ...{ verdict: 'Better', step: 3, latest: { loss: 0.5, kl: 2 } },
    series: [point(1, { loss: 1 }), point(2, { loss: 0.5 }), point(3, { kl: 2 })],
  });
  expect(body['summary']).toEqual(summary);
  expect(String(body['error'])).toHaveLength(2000);
  expect(live.board.since().runs).toMatchObject([{ run_id: made['runId'], status: 'failed', verdict: 'Better' }]);
});

it('lists the newest first and forgets what is deleted', async () => {
  const { send, live } = scene();
  const [a, b] = [await send('POST', '/runs', { name: 'a' }), await send('POST', '/runs', { name: 'b' })];
  expect((await send('GET', '/runs')).body).toMatchObject({ runs: [{ name: 'b' }, { name: 'a' }] });
  expect((await send('DELETE', `/runs/${a.body['runId']}`)).status).toBe(200);
  expect((await send('GET', `/runs/${a.body['runId']}`)).status).toBe(404);
  expect((await send('GET', '/runs')).body).toMatchObject({ runs: [{ runId: b.body['runId'] }] });
  expect(live.board.since().runs?.find(({ name }) => name === 'a')).toMatchObject({ is_deleted: true });
});

it('stores a point once that is sent again after a time-out', async () => {
  const { send } = scene();
  const { body } = await send('POST', '/runs', { name: 'a' });
  const points = [point(1, { loss: 1 }), point(1, { loss: 2 }), point(2)];
  for (let n = 0; n < 2; n++) await send('POST', `/runs/${body['runId']}/log`, { points });
  expect((await send('GET', `/runs/${body['runId']}`)).body['series']).toHaveLength(3);
});

it('gives a curve of so many points, the last one always', async () => {
  const { send } = scene();
  const { body } = await send('POST', '/runs', { name: 'a' });
  await send('POST', `/runs/${body['runId']}/log`, { points: Array.from({ length: 500 }, (_, n) => point(n)) });
  const series = (await send('GET', `/runs/${body['runId']}?max_points=100`)).body['series'] as { step: number }[];
  expect([series.length, series.at(-1)?.step]).toEqual([100, 499]);
});

it.each([
  ['/runs', {}],
  ['/runs', { name: '' }],
  ['/runs', { name: 'a', total_steps: 'many' }],
  ['log', { points: Array.from({ length: 501 }, (_, n) => point(n)) }],
  ['log', { points: [{ loss: 1 }] }],
  ['log', {}],
  ['finish', { status: 'running' }],
  ['finish', { status: 'done', summary: 3 }],
])('refuses %s %#', async (path, body) => {
  const { send } = scene();
  const { body: made } = await send('POST', '/runs', { name: 'a' });
  const { status, body: said } = await send('POST', path === '/runs' ? path : `/runs/${made['runId']}/${path}`, body);
  expect([status, typeof said['error']]).toEqual([400, 'string']);
});

it.each(['nobody', '%27%20OR%201=1--', '..%2f..'])('knows no run %s', async (id) => {
  const { send } = scene();
  const asked = [
    await send('GET', `/runs/${id}`),
    await send('DELETE', `/runs/${id}`),
    await send('POST', `/runs/${id}/log`, { points: [] }),
    await send('POST', `/runs/${id}/finish`, { status: 'done' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

it('has its runs after a restart', async () => {
  const path = join(await freshFolder(), 'runs.db');
  const first = scene(path);
  const { body } = await first.send('POST', '/runs', { name: 'a' });
  await first.send('POST', `/runs/${body['runId']}/log`, { points: [point(1, { loss: 1 })] });
  first.store.close();
  const second = scene(path);
  expect((await second.send('GET', `/runs/${body['runId']}`)).body).toMatchObject({ name: 'a', series: [{ loss: 1 }] });
  second.store.close();
});

it('says that it cannot keep runs in what is no database', async () => {
  const { writeFile } = await import('node:fs/promises');
  const path = join(await freshFolder(), 'runs.db');
  await writeFile(path, 'this is no database at all, it is text of some length'.repeat(100));
  expect(() => openRunStore(path, () => 0)).toThrow(expect.objectContaining({ code: 'TM_SINK' }));
});

it('takes what our own client reports, with a comparison of the held-out set', async () => {
  const { send } = scene();
  const { body: made } = await send('POST', '/runs', { name: 'a' });
  const call = async ({ method, path, body }: { method: string; path: string; body: object }) => {
    const { status } = await send(method, path, body);
    if (status !== 200) throw new Error(String(status));
  };
  const run = trainingRun(String(made['runId']), { call, clock: () => 5000 });
  await run.log(1, { loss: 1, note: 'text' });
  const rows = (passes: number) =>
    Array.from({ length: 80 }, (_, n) => ({ scenario_id: `s${n % 20}`, reward: Number(n % 20 < passes) }));
  const report = await run.delta(rows(4), rows(18));
  await run.finish('done', { adapter: 'a1' });
  const { body } = await send('GET', `/runs/${made['runId']}`);
  expect([run.errors(), report.target_verdict]).toEqual([0, 'moved_unreplicated']);
  expect(body).toMatchObject({
    series: [{ step: 1, loss: 1, ts: 5 }],
    summary: { holdoutPassBefore: 0.2, holdoutPassAfter: 0.9, holdout: { verdict: 'moved_unreplicated' } },
    verdict: 'About the same',
  });
});

it('keeps a comparison of `compare --json` once, as a run that is over, and refuses what is none', async () => {
  const { send, live } = scene();
  const graded = (least: number) =>
    Array.from({ length: 90 }, (_, n) => ({ scenario_id: `s${n % 30}`, reward: Number((n % 30) + (n % 3) >= least) }));
  const report = JSON.parse(JSON.stringify(deltaReport(graded(20), graded(4), { target: 'pass_at_1', runStd: 0.01 })));
  const twice = [0, 1].map(() => send('POST', '/v1/compare', { name: 'prompt-v2', report }));
  const [{ body }] = (await Promise.all(twice)) as [Awaited<(typeof twice)[0]>];
  const { body: list } = await send('GET', '/runs');
  expect((list['runs'] as unknown[]).length).toBe(1);
  const { body: kept } = await send('GET', `/runs/${body['runId']}`);
  expect(kept).toMatchObject({ name: 'prompt-v2', verdict: 'Better', summary: { delta: { target: 'pass_at_1' } } });
  expect(live.board.since().runs).toMatchObject([{ name: 'prompt-v2', status: 'done', verdict: 'Better' }]);
  const odd = await send('POST', '/v1/compare', { name: 'a', report: { metrics: {} } });
  expect([odd.status, odd.body['error']]).toEqual([400, expect.stringContaining('compare --json')]);
});
