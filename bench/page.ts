import { createApp, createLiveBoard } from '../src/server/index.ts';
import { listenHttp } from '../src/server/listen-http.ts';
import { pageRoutes } from '../src/server/page/index.ts';
import { openChromium } from '../test/e2e/chromium.ts';

/**
 * The page in a real browser while 100,000 rows come and 20 updates a second: how long its main thread is ever busy at a time
 * (PerformanceObserver `longtask`), while a person scrolls, searches, opens conversations and changes views. Exits with 1 when a
 * task is over 200 ms.
 */
const flag = process.argv.indexOf('--rows');
const total = flag < 0 ? 100_000 : Number(process.argv[flag + 1]);
const updatesPerS = 20;
const seconds = 40;
const maxTaskMs = 200;

const live = createLiveBoard({ clock: Date.now });
const app = createApp({
  live,
  token: 'bench',
  parts: [pageRoutes(new URL('../src/server/page/assets/', import.meta.url))],
});
const server = await listenHttp(app.fetch, { host: '127.0.0.1', port: 0, maxConnections: 20 });
const perUpdate = Math.ceil(total / (seconds * updatesPerS));
const operators = ['source', 'writer', 'world', 'judge', 'group', 'sink'];
let made = 0;
let round = 0;

function update(): void {
  round++;
  for (let n = 0; n < perUpdate && made < total; n++, made++) {
    const pass = (made * 7919) % 10 < 6;
    live.row({
      ...{
        rollout_id: `r${made}`,
        scenario_id: `s${made % 2000}`,
        prompt: `Where is order A-${made}? ${'It is late. '.repeat(8)}`,
      },
      ...{
        final_text: `Order A-${made} arrives on Thursday. ${'It left. '.repeat(10)}`,
        reward: pass ? 1 : 0,
        judge_status: 'ok',
      },
      ...{
        judge_name: 'rubric',
        reason: pass ? 'looked it up' : 'promised what the policy forbids',
        gold_reward: made % 9 === 0 ? 1 : null,
      },
      steps: [{ tool: `tool_${made % 20}`, arguments: { id: made }, result: { status: 'shipped' } }],
      scenario_dimensions: { tool: `tool_${made % 20}`, stance: `stance_${made % 11}` },
      markers: { polite: 1, looked_up: pass ? 1 : 0 },
    });
  }
  for (let worker = 0; worker < 4; worker++)
    live.figures(
      `w${worker}`,
      Date.now(),
      operators.map((operator, n) => ({
        ...{ stage: operator, operator, in: made, out: made - n, in_flight: n, counts: {}, rejected: { duplicate: n } },
        gauges: { lag: total - made },
      })),
    );
  live.history({
    type: 'history',
    run_id: 'grpo',
    step: round,
    n: 128,
    proxy: round / 1000,
    gold: 0.5,
    length: 200,
    kl: 0.1,
  });
  if (round % 100 === 0)
    live.alarm({
      type: 'alarm',
      run_id: 'grpo',
      step: round,
      kind: 'divergence',
      reason: 'proxy rose and gold did not',
    });
  if (round % 10 === 0) live.tick(); // twice a second, as the server does
}

const browser = await openChromium();
const page = browser.context.pages()[0] ?? (await browser.context.newPage());
await page.addInitScript(`globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  globalThis.told = 0;
  globalThis.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      for (const name of ['snapshot', 'update']) this.addEventListener(name, () => told++);
    }
  };`);
await page.goto(`${server.url}/?token=bench`);
await page.waitForSelector('.stats');

/** Wall time is what a person waits; the time of its own thread is what the page costs, on a machine that does other things, too. */
const tracing = await browser.context.newCDPSession(page);
let busiestMs = 0;
let mainThread: string | undefined;
tracing.on('Tracing.dataCollected', ({ value }) => {
  for (const event of value as unknown as readonly TraceEvent[]) {
    const thread = `${event.pid} ${event.tid}`;
    if (event.name === 'thread_name' && event.args.name === 'CrRendererMain') mainThread = thread;
    if (event.name.endsWith('RunTask') && thread === mainThread)
      busiestMs = Math.max(busiestMs, (event.tdur ?? 0) / 1000);
  }
});
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}
await tracing.send('Tracing.start', {
  transferMode: 'ReportEvents',
  traceConfig: { includedCategories: ['toplevel', '__metadata'], excludedCategories: ['*'] },
} as never);

const tell = (figure: object) => process.stdout.write(`${JSON.stringify({ bench: 'page', ...figure })}\n`);
const longest = async (phase: string): Promise<number> => {
  const tasks = (await page.evaluate('tasks.splice(0)')) as number[];
  const max = Math.round(Math.max(0, ...tasks));
  tell({ phase, longest_task_ms: max, tasks_over_50_ms: tasks.length, rows: made });
  return max;
};
const open = (view: string) => page.evaluate(`location.hash = '#/${view}'`);
await page.waitForTimeout(1000);
const found = [await longest('loading')];

const started = Date.now();
const feeding = setInterval(() => {
  // a busy machine wakes late: what is due by then comes at once, as from a topic
  while (made < total && round < ((Date.now() - started) * updatesPerS) / 1000) update();
}, 1000 / updatesPerS);
let n = 0;
while (made < total) {
  const view = ['overview', 'rollouts', 'stages', 'coverage', 'runs', 'judges', 'rollouts'][n++ % 7] ?? 'overview';
  await open(view);
  await page.waitForTimeout(500);
  if (view === 'rollouts') {
    await page.locator('.list').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'PageDown', 'PageDown', 'End', 'Home']) await page.keyboard.press(key);
    await page.mouse.move(400, 500);
    await page.mouse.wheel(0, 20_000);
    await page.fill('input[type=search]', 'A-77');
    await page.waitForTimeout(600);
    await page.click('.choice label:nth-child(3)');
    await page.waitForTimeout(300);
  }
  await page.waitForTimeout(500);
  found.push(await longest(view));
}
const took = (Date.now() - started) / 1000;
const told = (await page.evaluate('told')) as number;
await open('rollouts');
await page.waitForTimeout(800);
await page.fill('input[type=search]', 'a-99999');
await page.waitForTimeout(1500);
found.push(await longest('search of all rows'));
const held = await page.locator('.rollouts .note').first().textContent();
const memory = await page.evaluate('performance.memory?.usedJSHeapSize');
clearInterval(feeding);
const traced = new Promise((resolve) => tracing.once('Tracing.tracingComplete', resolve));
await tracing.send('Tracing.end');
await traced;
const max = Math.max(...found);
tell({
  ...{
    rows: made,
    seconds: Math.round(took),
    updates_per_s: Math.round((10 * round) / took) / 10,
    events_per_s: Math.round((10 * told) / took) / 10,
    longest_task_ms: max,
    longest_task_cpu_ms: Math.round(busiestMs),
  },
  ...{ limit_ms: maxTaskMs, is_held: max <= maxTaskMs, heap_mb: Math.round(Number(memory) / 1e6), page_says: held },
});
await browser.close();
await server.close(200);
process.exit(max <= maxTaskMs ? 0 : 1);
