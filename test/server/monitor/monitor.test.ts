import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { trainingEvals } from '../../../bench/monitor-runs.ts';
import { freshFolder } from '../../folder.ts';
import { token } from '../live.ts';
import { monitoring } from './monitoring.ts';

const run = promisify(execFile);
const hacked = [...trainingEvals(3, { asks: 32, k: 4, evals: 20, hackedFrom: 5 })];

it('raises what a hacked run deserves, and says when it is to stop', async () => {
  const { post, told } = monitoring();
  await post('a', { stop_on: ['divergence'], planned_evals: 20 });
  const replies = [];
  for (const event of hacked) replies.push((await post('a/eval', event)).body);
  const first = replies.findIndex(({ alarms }) => alarms.some(({ kind }) => kind === 'divergence'));
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThanOrEqual(12);
  expect(replies[first - 1]?.stop).toBeNull();
  expect(replies.at(-1)?.stop).toMatchObject({ kind: 'divergence', step: first * 10, run_id: 'a' });
  expect(told[0]).toMatchObject({ kind: 'divergence', step: first * 10 });
});

it('answers an evaluation that is sent again as it was, and raises nothing twice', async () => {
  const { post, told } = monitoring();
  await post('a', { divergence_rule: 'threshold' });
  const replies = [];
  for (const event of hacked.slice(0, 12)) replies.push((await post('a/eval', event)).body);
  const before = told.length;
  expect(replies.at(-1)?.alarms.length).toBeGreaterThan(0);
  expect((await post('a/eval', hacked[11])).body).toEqual(replies.at(-1));
  expect(told).toHaveLength(before);
});

it('a new run under an old name is neither stopped by the old alarm nor answered with its evaluations', async () => {
  const path = join(await freshFolder(), 'monitors.db');
  const { post, store } = monitoring({ path });
  const settings = { divergence_rule: 'threshold', kl_budget: 1, stop_on: ['any'] };
  await post('a', settings);
  await post('a/log', { step: 0, kl: 9 });
  for (const event of hacked.slice(0, 12)) await post('a/eval', event);
  expect((await post('a/end', {})).body.stop).toMatchObject({ run_id: 'a' });
  store.close();

  const later = monitoring({ path }); // another day
  const before = (await (await later.ask('/v1/monitor/a')).json()) as { n_evals: number };
  expect(before.n_evals).toBe(12); // the old one is read until the new one begins
  expect((await later.post('a/log', { step: 0, kl: 0.1 })).body.stop).toBeNull();
  const { body } = await later.post('a/eval', hacked[0]);
  expect([body.stop, body.alarms.filter(({ kind }) => kind !== 'blind')]).toEqual([null, []]);
  const now = await (await later.ask('/v1/monitor/a')).json();
  expect(now).toMatchObject({ n_evals: 1, kl_budget: 1, stopped_at: null });
  await later.post('a/end', {});
  await later.post('a', settings);
  expect(await (await later.ask('/v1/monitor/a')).json()).toMatchObject({ n_evals: 0 });
  later.store.close();
});

it('an evaluation that could not be stored is answered with 503, and taken once when it comes again', async () => {
  const path = join(await freshFolder(), 'monitors.db');
  const { post, ask, store } = monitoring({ path });
  await post('a/eval', hacked[0]);
  const other = new Database(path);
  other.exec('BEGIN EXCLUSIVE'); // another program holds the file
  const refused = await post('a/eval', hacked[1]);
  expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('another program')]);
  other.exec('ROLLBACK');
  other.close();
  expect((await post('a/eval', hacked[1])).body.history).toMatchObject({ step: 10 });
  expect(await (await ask('/v1/monitor/a')).json()).toMatchObject({ n_evals: 2 });
  store.close();
});

it('goes on after a restart as if there had been none', async () => {
  const folder = await freshFolder();
  const whole = monitoring();
  for (const [n, event] of hacked.entries()) {
    await whole.post('a/log', { step: n * 10, kl: n });
    await whole.post('a/eval', event);
  }
  const parts = [];
  for (const [n, event] of hacked.entries()) {
    const { post, store, told } = monitoring({ path: join(folder, 'monitors.db') }); // a new process each time
    if (n === 0) await post('a', { kl_budget: 100 });
    await post('a/log', { step: n * 10, kl: n });
    parts.push((await post('a/eval', event)).body.history, ...told);
    store.close();
  }
  const { store } = monitoring({ path: join(folder, 'monitors.db') });
  const summary = (await (await whole.ask('/v1/monitor/a')).json()) as { history: unknown[] };
  expect(parts.filter((one) => one && !('kind' in one))).toEqual(summary.history);
  expect(parts.filter((one) => one && 'kind' in one)).toEqual(whole.told);
  store.close();
});

it.each([
  ['a/eval', { step: 1 }, 400],
  ['a/eval', { step: 'x', groups: [] }, 400],
  ['a/eval?gold=judge', { step: 1, groups: [[{ text: 't', proxy: 1 }]] }, 400],
  ['a/nothing', {}, 404],
  ['a', { kl_budgett: 1 }, 400],
  ['a', { stop_on: ['everything'] }, 400],
  ['..%2fa/log', { step: 1 }, 400],
  [`${'a'.repeat(201)}/log`, { step: 1 }, 400],
])('refuses %s %j', async (path, body, status) => {
  const { post, ask } = monitoring();
  expect((await post(path, body)).status).toBe(status);
  expect((await ask('/v1/monitor/nobody')).status).toBe(404);
});

it.each([
  ['program', 'reward'],
  ['async', 'later'],
  ['judge', 'reward'],
])('watches a Python trainer and stops it: gold from %s', async (kind, name) => {
  const { listen, ask } = monitoring({
    judge: ({ final_text, level }) => !String(final_text).includes('magic') && level === 1,
  });
  const server = await listen();
  onTestFinished(() => server.close(50));
  const env = { ...process.env, TRACEMILL_URL: server.url, TRACEMILL_TOKEN: token };
  const { stdout } = await run('python3', ['test/server/monitor/monitor-loop.py', kind], { env });
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ errors: 0, stop: { kind: 'divergence', step: said.step }, name });
  expect(said.step).toBeLessThan(60);
  const summary = await (await ask('/v1/monitor/py-run')).json();
  expect(summary).toMatchObject({ every: 10, k: 4, buffer_size: 8 * said.step, stopped_at: { step: said.step } });
});

it('never ends a Python run because the server is away', async () => {
  const env = { ...process.env, TRACEMILL_URL: 'http://127.0.0.1:9', TRACEMILL_TOKEN: token };
  const script = [
    'import sys; sys.path.insert(0, "docs/examples")',
    'import tracemill_monitor as t; t.time.sleep = lambda s: None',
    'm = t.HackMonitor("a", ["p"], proxy=lambda completions, **_: [1] * len(completions), sample=lambda *_: [["x"]])',
    'print(m.wrap(lambda completions, **_: [2])(completions=["x"]), m.evaluate(10), m.errors > 1)',
  ].join('\n');
  const { stdout } = await run('python3', ['-c', script], { env });
  expect(stdout.trim()).toBe('[2] None True');
});
