import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { Hono } from 'hono';
import type { Sink } from '../src/core/to-sink.ts';
import type { Graded } from '../src/judges/apply-verdict.ts';
import type { Judge } from '../src/judges/judge.ts';
import { realtimeJudge } from '../src/pipelines/realtime-judge.ts';
import { createApp, createLiveBoard } from '../src/server/index.ts';
import { boardSink } from '../src/server/judge/graded-sink.ts';
import { judgeRoutes } from '../src/server/judge/judge-routes.ts';
import { listenHttp } from '../src/server/listen-http.ts';
import { jsonReader } from '../src/server/read-json.ts';

/**
 * A judge service under load beside a server that reads the same bodies as JSON and writes them back: rows of 4 KB, batches
 * of 32, 8 clients in a process of their own. `--seconds N` for each; `--soak N` seconds at 500 rows a second with a judge
 * that fails 5 % and hangs 1 %, and the memory at each tenth.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    soak: { type: 'string', default: '0' },
    rate: { type: 'string', default: '500' },
  },
});
const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'judge', ...figures })}\n`);
const live = createLiveBoard({ clock: () => Date.now() });
const read = jsonReader();
const at = { host: '127.0.0.1', port: 0, maxConnections: 100 };

async function load(url: string, seconds: string, rate = '0') {
  const words = ['--import', 'tsx', 'bench/judge/load.ts', url, '8', '32', seconds, rate];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as { readonly rows_per_s: number };
}
const serviceOf = (judge: Judge, verdicts: Sink<Graded>, timeoutMs: number) => {
  const service = realtimeJudge({ timeoutMs, maxConcurrent: 64 }, { judge, verdicts });
  return createApp({ live, token: 'bench', parts: [judgeRoutes({ judge: service, read })] });
};

if (values.soak === '0') {
  const echo = new Hono().post('/v1/judge', async (c) => c.json(await c.req.json()));
  const program: Judge = ({ final_text }) => ({ reward: Number(String(final_text).endsWith('7')), reason: 'compared' });
  const servers = {
    echo: await listenHttp(echo.fetch, at),
    judge: await listenHttp(serviceOf(program, boardSink(live), 30_000).fetch, at),
  };
  for (const { url } of Object.values(servers)) await load(`${url}/v1/judge`, '2'); // warm
  // in turns, so that what else the machine does meets both
  const slices = 5;
  const seconds = String(Number(values.seconds) / slices);
  const rates: Record<'echo' | 'judge', number[]> = { echo: [], judge: [] };
  for (let n = 0; n < slices; n++)
    for (const name of ['echo', 'judge'] as const) {
      const figures = await load(`${servers[name].url}/v1/judge`, seconds);
      rates[name].push(figures.rows_per_s);
      print({ server: name, ...figures });
    }
  const [bare = 0, judged = 0] = [rates.echo, rates.judge].map((all) => all.reduce((a, b) => a + b) / slices);
  const of_echo = Math.round((judged / bare) * 100) / 100;
  print({ echo_rows_per_s: Math.round(bare), judge_rows_per_s: Math.round(judged), of_echo });
  for (const server of Object.values(servers)) await server.close(100);
} else {
  let n = 0;
  const moody: Judge = async () => {
    const turn = n++ % 100;
    if (turn % 20 === 3) throw new Error('a judge that fails');
    if (turn === 50) await new Promise(() => {});
    return 1;
  };
  const server = await listenHttp(serviceOf(moody, boardSink(live), 1000).fetch, at);
  const heap: number[] = [];
  const every = (Number(values.soak) * 1000) / 10;
  const timer = setInterval(() => {
    globalThis.gc?.();
    heap.push(Math.round(process.memoryUsage().heapUsed / 2 ** 20));
  }, every);
  const figures = await load(`${server.url}/v1/judge`, values.soak, values.rate);
  clearInterval(timer);
  print({ server: 'soak', ...figures, heap_mb: heap, rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20) });
  await server.close(100);
}
process.exit();
