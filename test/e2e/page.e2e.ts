import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deltaReport } from '../../src/reports/delta/index.ts';
import { startBroker } from './broker.ts';
import { buildProgram } from './build-program.ts';
import { openChromium } from './chromium.ts';

/** The page in a real browser; everything it shows happens in other processes, over Kafka. `SHOTS=folder` keeps pictures. */
const program = buildProgram(new URL('../../src/cli/main.ts', import.meta.url));
const hostile =
  '<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 2"> \u202edesrever \u001b[31mred';
const stance = ['calm', 'angry', 'lost'];
const rows = Array.from({ length: 600 }, (_, n) => ({
  ...{
    scenario_id: `s${n % 75}`,
    rollout_id: `r${n}`,
    rollout_index: Math.floor(n / 75),
    prompt: `Where is order ${n}?`,
  },
  steps: [{ tool: 'get_order', arguments: { id: n }, result: { place: 'Rome' } }],
  final_text: `Order ${n} is in Rome.`,
  scenario_dimensions: { tool: 'get_order', stance: stance[n % 3] },
}));
const bad = [
  { scenario_id: 'h', rollout_id: 'hostile', rollout_index: 0, prompt: hostile, steps: [], final_text: hostile },
  {
    scenario_id: 'l',
    rollout_id: 'long',
    rollout_index: 0,
    prompt: 'A long one',
    steps: [],
    final_text: 'é'.repeat(500_000),
  },
];

let broker: Awaited<ReturnType<typeof startBroker>>;
let browser: Awaited<ReturnType<typeof openChromium>>;
let page: Page;
let folder = '';
let server: ChildProcess;
let url = new URL('http://localhost');
let run: Promise<unknown>;
const children: ChildProcess[] = [];
const faults: string[] = [];
const at = (name: string) => join(folder, name);

function start(...argv: string[]) {
  const child = spawn(process.execPath, [program, ...argv], {
    stdio: 'pipe',
    env: { ...process.env, TRACEMILL_TOKEN: '' },
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data;
  });
  return { child, said: () => said };
}

beforeAll(async () => {
  broker = await startBroker();
  folder = await mkdtemp(join(tmpdir(), 'tracemill-page-'));
  await writeFile(
    at('judge.mjs'),
    `export default async ({ final_text, rollout_id }) => {
       await new Promise((resolve) => setTimeout(resolve, 20));
       return { reward: final_text.length % 2, reason: 'because of ' + rollout_id, markers: { polite: 1 } };
     };`,
  );
  await writeFile(at('rows.jsonl'), [...rows, ...bad].map((row) => `${JSON.stringify(row)}\n`).join(''));
  const kafka = { brokers: [broker.address], sessionTimeoutMs: 6000, partitions: 4 };
  const config = { pipeline: 'evaluate', in: 'rows.jsonl', judge: './judge.mjs', out: 'graded.jsonl', kafka };
  await writeFile(at('run.yaml'), JSON.stringify({ ...config, options: { maxConcurrent: 2 } }));
  const serve = start('serve', '--port', '0', '--brokers', broker.address, '--prefix', 'shown', '--data', at('kept'));
  server = serve.child;
  url = await vi.waitFor(() => {
    const said = /Serving at (\S+)/.exec(serve.said())?.[1];
    if (said === undefined) throw new Error(`it does not serve: ${serve.said()}`);
    return new URL(said);
  }, 60_000);
  browser = await openChromium();
  page = browser.context.pages()[0] ?? (await browser.context.newPage());
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => void faults.push(`a dialog says ${dialog.message()}`));
}, 240_000);

afterAll(async () => {
  await browser?.close();
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')));
  await broker?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

const view = (name: string) => page.click(`nav a[href="#/${name}"]`);
async function shot(name: string): Promise<void> {
  const place = process.env['SHOTS'];
  if (place === undefined) return;
  await mkdir(place, { recursive: true });
  await page.screenshot({ path: join(place, `${name}.png`) });
}
const count = async (): Promise<number> =>
  Number((await page.locator('.stat dd').first().textContent())?.replaceAll(',', '') ?? 'none');

it('lets nobody in with a wrong token or without one', async () => {
  const other = await browser.context.newPage();
  for (const path of ['/', '/?token=wrong', '/page/main.js', '/v1/events', '/runs'])
    expect((await other.goto(`${url.origin}${path}`))?.status()).toBe(401);
  await other.close();
});

it('loads, takes the token out of its address, and shows rows as workers grade them', async () => {
  expect((await page.goto(url.href))?.status()).toBe(200);
  await page.waitForSelector('.health:has-text("Healthy")');
  expect(page.url()).not.toContain('token');
  expect(await count()).toBe(0);
  const { child } = start('run', '--config', at('run.yaml'), '--prefix', 'shown', '--bus', 'kafka', '--workers', '2');
  run = once(child, 'close');
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), { timeout: 120_000, interval: 100 });
  const some = await count();
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(some), { timeout: 60_000, interval: 100 });
  await view('stages');
  const judge = page.locator('.stages tr:has-text("judge")').first();
  await judge.waitFor({ timeout: 60_000 });
  await vi.waitFor(async () => expect(await judge.textContent()).toMatch(/judge.*\d/), 60_000);
  await shot('stages');
  await view('overview');
  await vi.waitFor(async () => expect(await count()).toBe(602), { timeout: 180_000, interval: 200 });
  await page.waitForSelector('.chart canvas');
  await shot('overview');
  await view('coverage');
  await vi.waitFor(async () => expect(await page.locator('.cell:not(.hollow)').count()).toBe(4), 10_000);
  await shot('coverage');
  await view('runs');
  await page.locator('.picks li', { hasText: 'evaluate (shown)' }).waitFor();
  await page.locator('.facts', { hasText: './judge.mjs' }).waitFor();
  await shot('pipeline-run');
}, 420_000);

it('opens a conversation by keyboard alone: the call, the answer, the verdict, the marker and why', async () => {
  await page.reload();
  await page.waitForSelector('nav');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).toBe('skip');
  await page.locator('nav a[href="#/rollouts"]').focus();
  await page.keyboard.press('Enter');
  await page.locator('.list').waitFor();
  while ((await page.evaluate('document.activeElement.className')) !== 'list') await page.keyboard.press('Tab');
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'PageDown', 'ArrowUp']) await page.keyboard.press(key);
  const list = page.locator('.list');
  const chosen = page.locator('.line.chosen');
  await vi.waitFor(
    async () => {
      // rows of hostile texts stand somewhere among the others: one further
      const active = await list.getAttribute('aria-activedescendant');
      if (active !== null && !/^row-r\d+$/.test(active)) await page.keyboard.press('ArrowDown');
      expect(active).toMatch(/^row-r\d+$/);
      expect(await chosen.getAttribute('id')).toBe(active);
      expect(await chosen.getAttribute('aria-selected')).toBe('true');
      const id = active?.replace('row-r', '');
      const text = await page.locator('.conversation .scroll').textContent();
      for (const part of [
        `Where is order ${id}?`,
        `{"id":${id}}`,
        `Order ${id} is in Rome.`,
        `because of r${id}`,
        'calls get_order',
        'polite',
      ])
        expect(text).toContain(part);
    },
    { timeout: 20_000, interval: 300 },
  );
  await shot('conversation');
}, 60_000);

it('shows hostile text as text, however it is written, and a long one in pieces', async () => {
  await page.fill('input[type=search]', 'globalThis.hacked');
  const line = page.locator('.line', { hasText: '<script>' });
  await line.click();
  const words = page.locator('.turn .words', { hasText: 'globalThis.hacked' }).first();
  await words.waitFor();
  const shown = (await words.textContent()) ?? '';
  expect(shown).toContain('<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 2">');
  expect(shown).toContain('[U+202E]desrever \u241b[31mred');
  expect(await page.locator('main script, main img, main iframe').count()).toBe(0);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  await shot('hostile');
  await page.fill('input[type=search]', 'A long one');
  await page.locator('.line', { hasText: 'A long one' }).click();
  await page.waitForSelector('.more:has-text("4,000 of 500,000 characters")');
  expect((await page.locator('.turn .words').nth(1).textContent())?.length).toBe(4000);
  await page.click('.more button');
  await page.waitForSelector('.more:has-text("44,000 of 500,000 characters")');
  const whole = await page.locator('a:has-text("whole row as JSON")').getAttribute('href');
  expect(whole).toBe('/v1/rollouts/long');
}, 60_000);

it('shows an alarm of a monitor within a second or so, and says it aloud', async () => {
  const token = url.searchParams.get('token') ?? '';
  const post = (path: string, body: object) =>
    fetch(`${url.origin}/v1/monitor/grpo-7${path}`, {
      method: 'POST',
      headers: { 'x-api-key': token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('', { kl_budget: 1 });
  await post('/log', { step: 10, kl: 3 });
  expect((await post('/eval', { step: 10, groups: [[{ text: 't', proxy: 1 }]] })).status).toBe(200);
  await view('runs');
  await page.locator('.alarm', { hasText: 'drift' }).first().waitFor();
  expect(await page.locator('nav .badge').textContent()).toMatch(/1/);
  expect(await page.locator('[aria-live=polite]').last().textContent()).toMatch(/drift at step 10/);
  await shot('alarm');
}, 60_000);

it('shows a comparison that another program posts, before against after', async () => {
  const graded = (side: number) =>
    Array.from({ length: 120 }, (_, n) => ({ scenario_id: `s${n % 30}`, reward: Number(((n % 30) + n) % 3 < side) }));
  const report = deltaReport(graded(1), graded(2), { target: 'pass_at_1', runStd: 0.01 });
  const posted = await fetch(`${url.origin}/v1/compare`, {
    method: 'POST',
    headers: { 'x-api-key': url.searchParams.get('token') ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'prompt-v2', report }),
  });
  expect(await posted.json()).toMatchObject({ status: 'done' });
  await view('reports');
  await page.locator('.headline', { hasText: 'Better' }).waitFor();
  expect(await page.locator('.sides').textContent()).toMatch(/before33.3%.*after66.7%/s);
  await shot('report');
}, 30_000);

it('is light, dark and narrow without a part that is cut off', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await view('overview');
    await page.waitForSelector(`html[data-theme=${colorScheme}]`);
    await shot(`overview-${colorScheme}`);
  }
  await page.click('button.theme');
  await page.click('button.theme');
  await page.waitForSelector('html[data-theme=dark]');
  await page.setViewportSize({ width: 400, height: 800 });
  for (const name of ['overview', 'stages', 'rollouts', 'coverage', 'runs', 'judges', 'reports']) {
    await view(name);
    await page.waitForTimeout(100);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shot(`narrow-${name}`);
  }
}, 60_000);

it('asked no other host for anything, and broke no rule of its policy', async () => {
  await run;
  expect([...new Set(browser.asked.map((asked) => new URL(asked).origin))]).toEqual([url.origin]);
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  expect(server.exitCode).toBeNull();
});
