import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draw, drawInt } from '../../src/core/draws.ts';
import { hotelPolicy, hotelTools } from '../grid/agents.ts';
import { buildProgram } from './build-program.ts';
import { startChatServer } from './chat-server.ts';

const program = buildProgram(new URL('../../src/cli/main.ts', import.meta.url));
const [kills, concurrency] = [20, 8];
const seed = Number(process.env['TEST_SEED'] || 7);
let folder = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tracemill-simulate-'));
  await writeFile(at('tools.json'), JSON.stringify(hotelTools));
  await writeFile(at('policy.md'), hotelPolicy);
});

type Server = Awaited<ReturnType<typeof startChatServer>>;
let servers: Server[] = [];
afterAll(() => Promise.all(servers.map((one) => one.stop())));
const serve = async (): Promise<Server> => {
  const server = await startChatServer();
  servers = [...servers, server];
  return server;
};

function start(server: Server, name: string, ...more: string[]) {
  const flags = {
    ...{ agent: server.model, tools: at('tools.json'), policy: at('policy.md'), out: at(`${name}.jsonl`) },
    ...{ mode: 'rl', repeats: '2', 'repeat-policy': 'fixed', budget: '120', seed: String(seed) },
    ...{ 'avg-turns': '4', concurrency: String(concurrency) },
  };
  const argv = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const child = spawn(process.execPath, [program, 'simulate', ...argv, '--stream', ...more], { stdio: 'pipe' });
  const said: Buffer[] = [];
  child.stderr.on('data', (data: Buffer) => said.push(data));
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    said: String(Buffer.concat(said)),
  }));
  return { child, ended };
}

const sorted = async (name: string) => (await readFile(at(`${name}.jsonl`), 'utf8')).split('\n').toSorted();

/** Keys of the replies that are stored; a last line that was cut counts for nothing. */
async function stored(name: string): Promise<readonly string[]> {
  const text = await readFile(at(`${name}.jsonl.replies.jsonl`), 'utf8').catch(() => '');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { key: string }).key);
}

it('killed twenty times at any moment and resumed, a run has the rows of one that nobody killed, and pays for no reply twice', async () => {
  const calm = await serve();
  const whole = await start(calm, 'whole').ended;
  expect(whole.code, whole.said).toBe(0);
  const calls = calm.count().answered;
  const ids = (await sorted('whole')).flatMap((line) => (line === '' ? [] : [JSON.parse(line).rollout_id as string]));
  const { coverage } = JSON.parse(await readFile(at('whole.meta.json'), 'utf8'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(coverage.rollouts_completed).toBe(ids.length);
  expect(coverage.rollouts_lost).toBeGreaterThan(0); // the host said nothing, again and again
  expect(Object.keys(calm.troubles()).toSorted()).toEqual(['broken', 'full', 'half', 'silent']);

  const server = await serve();
  for (let life = 0; life < kills; life++) {
    const [before, had] = [server.count(), (await stored('killed')).length];
    const run = start(server, 'killed', ...(life > 0 ? ['--resume'] : []));
    const moment = drawInt(1, Math.floor((1.5 * calls) / kills), seed, life, 'kill');
    while (server.count().requests - before.requests < moment && run.child.exitCode === null) await sleep(2);
    await sleep(30 * draw(seed, life, 'later'));
    run.child.kill('SIGKILL');
    expect((await run.ended).code, `life ${life} was over before its end`).toBeNull();
    await sleep(2 * 25); // what the server still writes to nobody
    const keys = await stored('killed');
    expect(new Set(keys).size).toBe(keys.length);
    const lost = server.count().answered - before.answered - (keys.length - had);
    expect(lost, 'replies of a life that are not stored: those on their way').toBeLessThanOrEqual(concurrency + 4);
  }
  const [answered, left] = [server.count().answered, (await stored('killed')).length];
  const last = await start(server, 'killed', '--resume').ended;
  expect(last.code, last.said).toBe(0);
  expect(await sorted('killed')).toEqual(await sorted('whole'));
  expect(server.count().answered - answered).toBe(calls - left);
}, 900_000);
