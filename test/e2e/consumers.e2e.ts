import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import type { Row } from '../../src/rows/row.ts';
import { kafkaSink } from '../../src/sinks/kafka.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { startBroker } from './broker.ts';

const topic = 'evaluate.graded.v1';
const rows: Row[] = Array.from({ length: 40 }, (_, n) => ({
  scenario_id: `s${n % 5}`,
  rollout_id: `r${n}`,
  reward: n % 2,
}));

let broker: Awaited<ReturnType<typeof startBroker>>;
beforeAll(async () => {
  broker = await startBroker();
  const bus = kafkaBus({ brokers: [broker.address] });
  await ensureTopics(
    [topic, `${topic}.dlq`].map((name) => ({ name, partitions: 3 })),
    bus,
  );
  const sink = kafkaSink<Row>(
    { topic },
    { producer: bus.producer, ...rowIdentity, stage: 'judge', schema: 'graded/1' },
  );
  await sink.write(rows);
  await sink.write(rows.slice(0, 15)); // a batch that was sent again
  await sink.close();
}, 180_000);
afterAll(() => broker.stop(), 60_000);

/** What a consumer prints until it has seen every row, and a moment longer: a repeat would show. */
async function printed(child: ChildProcessWithoutNullStreams): Promise<readonly string[]> {
  const parts: string[] = [];
  child.stdout.on('data', (data: Buffer) => parts.push(String(data)));
  child.stderr.on('data', (data: Buffer) => parts.push(String(data)));
  const lines = () =>
    parts
      .join('')
      .split('\n')
      .filter((line) => /^\S+ [01](\.0)?$/.test(line));
  while (lines().length < rows.length && child.exitCode === null) await sleep(50);
  await sleep(2000);
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGTERM');
  await ended;
  if (lines().length < rows.length) throw new Error(parts.join(''));
  return lines().toSorted();
}
const expected = rows.map((row) => `${rowIdentity.id(row)} ${String(row.reward)}`).toSorted();

it('twenty lines of TypeScript read each row once', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'docs/examples/consumer.ts', broker.address, topic]);
  expect(await printed(child)).toEqual(expected);
}, 120_000);

const home = '.cache/confluent-kafka';
function environment(): string | undefined {
  const python = `${home}/bin/python`;
  if (existsSync(python) && spawnSync(python, ['-c', 'import confluent_kafka']).status === 0) return undefined;
  for (const [command, args] of [
    ['python3', ['-m', 'venv', '--clear', home]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'confluent-kafka==2.16.1']],
  ] as const) {
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) return `${command} ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}

it('twenty lines of Python read each row once', async ({ skip }) => {
  const missing = environment();
  if (missing !== undefined && !process.env['CI']) skip(`no Python client: ${missing}`);
  expect(missing).toBeUndefined();
  expect(await printed(spawn(`${home}/bin/python`, ['docs/examples/consumer.py', broker.address, topic]))).toEqual(
    expected,
  );
}, 240_000);
