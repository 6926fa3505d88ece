import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { trainingEvals } from '../../bench/monitor-runs.ts';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { freshFolder } from '../folder.ts';
import { testIo } from './test-io.ts';

const hacked = [...trainingEvals(3, { asks: 32, k: 4, evals: 20, hackedFrom: 5 })];

async function serving(data: string, ...flags: string[]) {
  const stop = new AbortController();
  const { io, said } = testIo(stop.signal);
  const exit = cli(commands, '0', ['serve', '--port', '0', '--data', data, ...flags], io);
  const url = await vi.waitFor(() => {
    const found = /Serving at (\S+) /.exec(said())?.[1];
    if (found === undefined) throw new Error(said());
    return new URL(found).origin;
  });
  const ask = (path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      headers: { 'x-api-key': 'a-token', 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const end = async () => {
    stop.abort();
    return exit;
  };
  return { url, ask, end, said };
}

it('serves a judge, runs and monitors, and has the runs and alarms after a restart', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const data = join(await freshFolder(), 'kept');
  const first = await serving(data, '--judge', 'exact_match');
  const judged = await first.ask('/v1/judge', [
    { final_text: '4', reference: '4' },
    { final_text: '5', reference: '4' },
  ]);
  expect(await judged.json()).toMatchObject({ rewards: [1, 0] });
  const { runId } = (await (await first.ask('/runs', { name: 'grpo' })).json()) as { runId: string };
  for (const event of hacked) await first.ask(`/v1/monitor/${runId}/eval`, event);
  await first.ask(`/runs/${runId}/finish`, { status: 'stopped', summary: { a: 1 } });
  await vi.waitFor(async () =>
    expect(await (await first.ask('/metrics')).text()).toMatch(/rows_out_total.*realtime-judge.* 2/),
  );
  expect(await first.end()).toBe(0);

  const second = await serving(data);
  const run = (await (await second.ask(`/runs/${runId}`)).json()) as { series: object[]; summary: object };
  expect(run.series).toHaveLength(20);
  expect(run.series[0]).toMatchObject({ step: 0, proxy_reward: expect.any(Number), gold_reward: expect.any(Number) });
  expect(run.summary).toMatchObject({ a: 1, hack_monitor: { n_evals: 20 } });
  const events = await second.ask('/v1/events');
  const reader = events.body?.getReader();
  const text = new TextDecoder().decode((await reader?.read())?.value);
  expect(text).toContain('"kind":"divergence"');
  expect((await second.ask('/v1/judge', [{}])).status).toBe(404);
  await reader?.cancel();
  expect(await second.end()).toBe(0);
});

it('posts an alarm to a webhook of this machine only when that is allowed', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  vi.stubEnv('TRACEMILL_WEBHOOK_SECRET', 'a secret of this test');
  const got: unknown[] = [];
  const hook = createServer((request, response) => {
    request.on('data', (piece) => got.push(JSON.parse(piece)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void hook.close());
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const { io, said } = testIo();
  const data = await freshFolder();
  expect(await cli(commands, '0', ['serve', '--port', '0', '--data', data, '--webhook', url], io)).toBe(2);
  expect(said()).toMatch(/127\.0\.0\.1 is private/);
  const { ask, end } = await serving(data, '--webhook', url, '--allow-private-webhook');
  await ask('/v1/monitor/a', { kl_budget: 1 });
  await ask('/v1/monitor/a/log', { step: 1, kl: 3 });
  await ask('/v1/monitor/a/eval', { step: 1, groups: [[{ text: 't', proxy: 1 }]] });
  await vi.waitFor(() => expect(got).toMatchObject([{ kind: 'drift', run_id: 'a', step: 1 }]));
  await end();
});

it('serves others only with a token', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', '');
  const { io, said } = testIo();
  expect(await cli(commands, '0', ['serve', '--host', '0.0.0.0'], io)).toBe(2);
  expect(said()).toMatch(/set TRACEMILL_TOKEN/);
});

it('ends with 1 when the server raises an alarm that is watched for', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const { url, ask, end } = await serving(await freshFolder());
  const { io, said, out } = testIo();
  const exit = cli(commands, '0', ['monitor', 'a', '--server', url, '--poll-ms', '50', '--json'], io);
  await vi.waitFor(() => expect(said()).toContain('Watching a'));
  for (const event of hacked) await ask('/v1/monitor/a/eval', event);
  expect(await exit).toBe(1);
  expect(JSON.parse(out().split('\n')[0] ?? '')).toMatchObject({ kind: 'divergence', run_id: 'a' });
  await end();
});

it('the monitor grpo-7 is on the curves of the run of that name', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const { ask, end } = await serving(await freshFolder());
  const { runId } = (await (await ask('/runs', { name: 'grpo-7' })).json()) as { runId: string };
  await ask('/v1/monitor/grpo-7/eval', hacked[0]);
  const run = (await (await ask(`/runs/${runId}`)).json()) as { step: number; summary: object };
  expect(run).toMatchObject({
    summary: { hack_monitor: { n_evals: 1 } },
    latest: { proxy_reward: expect.any(Number) },
  });
  await end();
});

it('the alarm of yesterday under the same name does not end the watch over the run of today', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const { url, ask, end } = await serving(await freshFolder());
  const drift = async () => {
    await ask('/v1/monitor/a', { kl_budget: 1 });
    await ask('/v1/monitor/a/log', { step: 1, kl: 3 });
    await ask('/v1/monitor/a/eval', { step: 1, groups: [[{ text: 't', proxy: 1 }]] });
  };
  await drift();
  await ask('/v1/monitor/a/end', {});
  const { io, said, out } = testIo();
  const exit = cli(commands, '0', ['monitor', 'a', '--server', url, '--poll-ms', '50', '--json'], io);
  await vi.waitFor(() => expect(said()).toContain('The run a has ended'));
  expect(out()).toBe('');
  await drift();
  expect(await exit).toBe(1);
  await end();
});

it('something else that answers at the address of the server is asked again, and ends no run', async () => {
  const stop = new AbortController();
  const answers = [
    [200, '<html>'],
    [404, '{}'],
    [404, '{}'],
    [200, '{"alarms":'],
  ] as const;
  let n = 0;
  const other = createServer((_, answer) => {
    const [status, text] = answers[n++ % answers.length] ?? [500, ''];
    answer.writeHead(status).end(text);
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const { io, said } = testIo(stop.signal);
  const exit = cli(commands, '0', ['monitor', 'a', '--server', url, '--poll-ms', '50'], io);
  await vi.waitFor(() => expect(n).toBeGreaterThan(4), { timeout: 10_000 });
  stop.abort();
  expect(await exit).toBe(0);
  expect(said().split('\n').slice(0, 4)).toEqual([
    `Watching a at ${url}.`,
    `${url} does not answer; it is asked again.`,
    `${url} knows no run a yet; it is watched for.`,
    `${url} does not answer; it is asked again.`,
  ]);
});

it('is not let in by a server with another token, and says so', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const { url, end } = await serving(await freshFolder());
  vi.stubEnv('OTHER', 'wrong');
  const { io, said } = testIo();
  expect(await cli(commands, '0', ['monitor', 'a', '--server', url, '--token-env', 'OTHER'], io)).toBe(3);
  expect(said()).toMatch(/401/);
  await end();
});

it('watches a file of events', async () => {
  const path = join(await freshFolder(), 'events.jsonl');
  const lines = hacked.map((event) => JSON.stringify({ ...event, run_id: 'a' }));
  await writeFile(path, lines.join('\n'));
  const watch = async (...flags: string[]) => {
    const { io, said } = testIo();
    return [await cli(commands, '0', ['monitor', 'a', '--in', path, ...flags], io), said()] as const;
  };
  expect((await watch())[0]).toBe(1);
  expect((await watch('--stop-on', 'drift'))[0]).toBe(0);
  expect((await watch())[1]).toMatch(/step \d+ divergence/);
  await writeFile(path, `${lines[0]}\n{broken`);
  expect((await watch())[0]).toBe(3);
});

it('reads a file of events without a word more: each of its runs, what they raised, and what the asks could show', async () => {
  const path = join(await freshFolder(), 'events.jsonl');
  const clean = [...trainingEvals(4, { asks: 8, k: 4, evals: 5 })];
  const file = (events: readonly object[]) => writeFile(path, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const watch = async (...words: string[]) => {
    const { io, said } = testIo();
    return { exit: await cli(commands, '0', ['monitor', ...words, '--in', path], io), said: said() };
  };
  await file([...hacked, ...clean]);
  const both = await watch();
  expect(both.exit).toBe(1);
  expect(both.said).toMatch(/run-3:\n +step +proxy.*power: 32 asks can show a divergence at level 0.0005\nstopped at/s);
  expect(both.said).toMatch(/run-4:\n +step.*power: 8 asks cannot show, as 11 could, a divergence.*no alarms/s);
  expect(both.said.match(/divergence: proxy/g)).toHaveLength(new Set(both.said.match(/^step \d+ divergence/gm)).size);
  expect(await watch('run-4')).toMatchObject({ exit: 0, said: expect.not.stringContaining('run-3') });
  expect(await watch('run-9')).toMatchObject({ exit: 3, said: expect.stringContaining('run-3, run-4') });
  await file(clean.map(({ run_id: _, ...event }) => event));
  expect(await watch()).toMatchObject({ exit: 0, said: expect.stringContaining('no alarms') });
  await file([]);
  expect((await watch()).exit).toBe(3);
  const { io, said } = testIo();
  expect([await cli(commands, '0', ['monitor'], io), said()]).toEqual([2, expect.stringContaining('which run?')]);
});

it('shows reports of compare that are named when it begins, and says what is none', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', 'a-token');
  const folder = await freshFolder();
  const rows = (pass: number) =>
    Array.from(
      { length: 60 },
      (_, n) => `${JSON.stringify({ scenario_id: `s${n % 20}`, reward: Number(n % 20 < pass) })}\n`,
    );
  await writeFile(join(folder, 'a.jsonl'), rows(5).join(''));
  await writeFile(join(folder, 'b.jsonl'), rows(15).join(''));
  const { io, out } = testIo();
  const files = [join(folder, 'a.jsonl'), join(folder, 'b.jsonl')];
  expect(await cli(commands, '0', ['compare', ...files, '--target', 'pass_at_1', '--json'], io)).toBe(0);
  await writeFile(join(folder, 'prompt-v2.json'), out());
  const { ask, end } = await serving(join(folder, 'kept'), '--compare', join(folder, 'prompt-v2.json'));
  const { runs } = (await (await ask('/runs')).json()) as { runs: unknown[] };
  expect(runs).toMatchObject([{ name: 'prompt-v2', status: 'done', summary: { holdoutPassBefore: 0.25 } }]);
  await end();
  const wrong = testIo();
  const flags = ['serve', '--port', '0', '--data', join(folder, 'other'), '--compare', files[0] ?? ''];
  expect(await cli(commands, '0', flags, wrong.io)).toBe(3);
  expect(wrong.said()).toContain('no report of compare --json');
});
