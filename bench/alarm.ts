import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trainingMonitor } from '../src/pipelines/training-monitor.ts';
import { createApp, createLiveBoard } from '../src/server/index.ts';
import { listenHttp } from '../src/server/listen-http.ts';
import { monitorRoutes } from '../src/server/monitor/monitor-routes.ts';
import { monitorService } from '../src/server/monitor/monitor-service.ts';
import { openMonitorStore } from '../src/server/monitor/monitor-store.ts';
import { tellAnswers } from '../src/server/monitor/tell-answers.ts';
import { webhook } from '../src/server/monitor/webhook.ts';
import { jsonReader } from '../src/server/read-json.ts';
import { openRunStore } from '../src/server/runs/run-store.ts';

/**
 * How long it takes from the event that causes an alarm to the webhook: from the first byte of `POST /v1/monitor/{run}/eval`
 * or `/log` with its evaluation, and from the call of a monitor in the process that trains. Evaluations of 32 asks × 4; each
 * raises `drift`. Exits with 1 when one takes over a second.
 */
const asks = 32;
const k = 4;
const evals = 50;
const secret = 'a secret of the bench';
const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'alarm', ...figures })}\n`);

const arrived = new Map<string, number>();
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const { run_id, kind, step } = JSON.parse(body);
    if (kind === 'drift') arrived.set(`${run_id} ${step}`, performance.now());
    response.end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const hook = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, secret, allowPrivate: true };

async function figures(run: string, raise: (step: number) => Promise<unknown>) {
  const took: number[] = [];
  for (let step = 0; step < evals; step++) {
    const started = performance.now();
    await raise(step);
    while (!arrived.has(`${run} ${step}`)) await new Promise((resolve) => setTimeout(resolve, 1));
    took.push((arrived.get(`${run} ${step}`) ?? 0) - started);
  }
  const sorted = took.sort((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.min(evals - 1, Math.floor(share * evals))] ?? 0) * 10) / 10;
  return { alarms: evals, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
}

const text = 'It arrives on Thursday. '.repeat(40);
const groups = Array.from({ length: asks }, () => Array.from({ length: k }, () => ({ text, proxy: 1, gold: 1 })));
const folder = await mkdtemp(join(tmpdir(), 'tracemill-alarm-'));
const ports = { clock: Date.now, say: () => {} };
const live = createLiveBoard(ports);
const runs = openRunStore(join(folder, 'runs.db'), Date.now);
const store = openMonitorStore(join(folder, 'monitors.db'));
const tell = tellAnswers({ live, runs, hook: webhook(hook, ports), ...ports });
const monitors = monitorService({ store, tell });
const parts = [monitorRoutes({ monitors, read: jsonReader() })];
const app = createApp({ live, token: 'bench', parts });
const server = await listenHttp(app.fetch, { host: '127.0.0.1', port: 0, maxConnections: 10 });
const headers = { 'content-type': 'application/json', 'x-api-key': 'bench' };
const post = (path: string, body: object) =>
  fetch(`${server.url}/v1/monitor/http${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
await post('', { kl_budget: 1 });
const overHttp = await figures('http', async (step) => {
  await post('/log', { step, kl: 3 });
  await post('/eval', { step, groups });
});
print({ path: 'http', ...overHttp });

const { send } = webhook(hook, { clock: Date.now });
const monitor = trainingMonitor(
  'process',
  {
    holdout: Array.from({ length: asks }, (_, n) => `Where is order ${n}?`),
    sample: (prompts, { n }) => prompts.map(() => Array.from({ length: n }, () => text)),
    proxy: ({ completions }) => completions.map(() => 1),
    gold: () => 1,
    onAlarm: send,
  },
  { klBudget: 1 },
);
const inProcess = await figures('process', (step) => {
  monitor.log(step, { kl: 3 });
  return monitor.evaluate(step);
});
print({ path: 'process', ...inProcess });
await server.close(100);
process.exit(Math.max(overHttp.max_ms, inProcess.max_ms) < 1000 ? 0 : 1);
