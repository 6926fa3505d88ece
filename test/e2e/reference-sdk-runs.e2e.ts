import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createApp, createLiveBoard } from '../../src/server/index.ts';
import { listenHttp } from '../../src/server/listen-http.ts';
import { jsonReader } from '../../src/server/read-json.ts';
import { runRoutes } from '../../src/server/runs/run-routes.ts';
import { openRunStore } from '../../src/server/runs/run-store.ts';
import { environment, python } from './reference-sdk-home.ts';

it('takes the runs that the client of the reference SDK reports, unchanged', async ({ skip }) => {
  const missing = environment();
  if (missing !== undefined && !process.env['CI']) skip(`no reference SDK: ${missing}`);
  expect(missing).toBeUndefined();
  const live = createLiveBoard({ clock: systemClock });
  const store = openRunStore(':memory:', systemClock);
  const app = createApp({ live, token: 'its-key', parts: [runRoutes({ store, read: jsonReader(), live })] });
  const server = await listenHttp(app.fetch, { host: '127.0.0.1', port: 0, maxConnections: 10 });
  onTestFinished(() => server.close(100));
  const env = { ...process.env, WHILEAI_API_URL: server.url, WHILEAI_API_KEY: 'its-key' };
  const { stdout } = await promisify(execFile)(python, ['-W', 'ignore', 'test/e2e/reference-sdk-runs.py'], { env });
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ errors: 0, names: ['grpo-2', 'grpo-1'], left: 1 });
  expect(said.gone).toMatch(/404: there is no such run/);
  expect(said.noted).toMatchObject({
    ...{ name: 'grpo-1', status: 'done', adapter: 'adapters/1', total_steps: 40, config: { lr: 1e-5 } },
    summary: { holdoutPassBefore: 0.2, holdoutPassAfter: 0.9 },
    verdict: 'Better',
  });
  expect(said.noted.series).toHaveLength(40);
  expect(said.noted.series[39]).toMatchObject({ step: 40, loss: 0.025, reward: 1 });
  expect(said.noted.series[39]).not.toHaveProperty('note');
  expect(said.compared).toMatchObject({
    summary: { holdout: { verdict: 'moved_unreplicated' } },
    verdict: 'About the same',
  });
  expect(said.compared.summary.delta.metrics.pass_at_1).toBeDefined();
  expect(said.attached).toMatchObject({ status: 'stopped', error: 'drift at step 3', verdict: 'Worse' });
});
