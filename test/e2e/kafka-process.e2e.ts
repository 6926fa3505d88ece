import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringifyJson } from '../../src/core/json.ts';
import { type Broker, startBroker } from './broker.ts';
import { buildProgram, buildWorker } from './build-program.ts';
import { feed } from './chaos/poison.ts';
import { openSite } from './chaos/site.ts';
import { rollouts } from './scene.ts';
import type { WorkerOptions } from './worker-options.ts';

let broker: Broker;
const longMs = 1_200_000; // for a machine that is busy
beforeAll(async () => {
  broker = await startBroker();
}, longMs);
afterAll(() => broker.stop(), longMs);

/** A worker as a process of its own, and what it says. */
function start(told: WorkerOptions, node = process.execPath, flags: readonly string[] = []) {
  const child = spawn(node, [...flags, buildWorker(), JSON.stringify(told)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const texts: string[] = [];
  child.stderr?.on('data', (text: Buffer) => texts.push(String(text)));
  return { child, said: () => texts.join(''), ended: once(child, 'exit') as Promise<[number | null]> };
}

/** Makes a package look as if nobody had installed it. */
const without = (name: string): string[] => {
  const hook = `export async function resolve(s,c,n){if(s===${JSON.stringify(name)})throw new Error('not installed');return n(s,c)}`;
  const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  return ['--import', url(`import{register}from'node:module';register(${JSON.stringify(url(hook))})`)];
};

it(
  'L36: ends with a reason and a code when its consumer crashed for good, and idles in no silence',
  async () => {
    const site = await openSite({ address: broker.address, worker: buildWorker(), seed: 'crash' });
    const registering = site.bus.consumer(); // connecting registers the codecs
    await registering.connect();
    await registering.disconnect();
    const producer = site.bus.producer();
    await producer.connect();
    const messages = rollouts(50, 1, 'crash').map((row) => ({ key: row.task_id, value: stringifyJson(row) }));
    await producer.send({ topic: site.topic('rollouts'), messages, compression: kafkajs.CompressionTypes.Snappy });
    await producer.disconnect();
    const { said, ended } = start(site.told, process.execPath, without('kafkajs-snappy'));
    const [code] = await ended;
    expect(said()).toMatch(/TM_SOURCE: topic .*rollouts.*kafkajs-snappy/);
    expect(code).toBe(3);
    expect(await site.lags(['judge'])).not.toEqual([0]);
    await site.close();
  },
  longMs,
);

/** A Node of a later version, installed once beside the project's own. */
function laterNode(): string {
  const folder = '.cache/node-24';
  const node = `${folder}/node_modules/node/bin/node`;
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', 'node@24'];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr.trim().split('\n').at(-1)}`);
  }
  return node;
}

it(
  'L37: warns of nothing on Node 24, where the client alone does',
  async () => {
    const node = laterNode();
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v24\./);
    const alone = spawnSync(node, [buildProgram(new URL('bare-client.ts', import.meta.url)), broker.address], {
      encoding: 'utf8',
    });
    expect([alone.status, alone.stderr]).toEqual([0, expect.stringContaining('TimeoutNegativeWarning')]);

    const site = await openSite({ address: broker.address, worker: buildWorker(), seed: 'later' });
    await feed(site.bus, site.prefix, rollouts(50, 8, 'later'));
    const { child, said, ended } = start(site.told, node);
    expect(await site.drained()).toBe(true);
    child.kill('SIGTERM');
    expect([await ended, said()]).toEqual([[0, null], '']);
    await site.close();
  },
  longMs,
);
