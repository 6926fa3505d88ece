import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { pull } from '../../src/core/source.ts';
import { spanBatchOf } from '../../src/dialects/otlp/span-batch.ts';
import { recordId } from '../../src/dialects/otlp/span-record.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { traceStages } from '../../src/pipelines/traces.ts';
import { latestRevisions } from '../../src/rows/revision.ts';
import type { Row } from '../../src/rows/row.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { testIo } from '../cli/test-io.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { protobufBody } from '../otlp-body.ts';
import { talk } from '../spans.ts';
import { startBroker } from './broker.ts';
import { lagOf, readAll } from './topic-reader.ts';
import { exportsOf, traceOptions } from './traces-scene.ts';

let broker: Awaited<ReturnType<typeof startBroker>>;
beforeAll(async () => {
  broker = await startBroker();
}, 180_000);
afterAll(() => broker.stop(), 60_000);

const byId = (rows: readonly Row[]) => Object.fromEntries(latestRevisions(rows).map((row) => [row.rollout_id, row]));
const names = Array.from({ length: 120 }, (_, n) => `talk${n}`);

it('makes the same rows of the bytes of two services as in memory, and loses none when it is killed', async () => {
  const prefix = `traces-${Date.now()}`;
  const bus = kafkaBus({ brokers: [broker.address] });
  const stages = traceStages(traceOptions);
  await ensureTopics(topicsOf(stages, prefix, 3), bus);
  const bodies = exportsOf(names, 'e2e');
  const said: string[] = [];
  let worker = startWorker(prefix, said);
  const producer = bus.producer();
  await producer.connect();
  for (const [n, value] of bodies.entries()) {
    await producer.send({
      topic: topicName(prefix, 'spans'),
      messages: [{ key: n % 2 === 0 ? null : `k${n}`, value }],
    });
    if (n % 80 === 79) {
      await sleep(4000); // it works, some conversations close, and are told again
      worker.kill('SIGKILL');
      worker = startWorker(prefix, said);
    }
  }
  await producer.disconnect();
  for (const { name, from } of stages)
    while ((await lagOf(bus, `${prefix}.${name}`, topicName(prefix, from)).catch(unsettled)) > 0) await sleep(200);
  worker.kill('SIGTERM');
  await once(worker, 'exit');

  const traces = memorySink<Row>();
  const source = pull(bodies.map(spanBatchOf));
  const patient = traceStages({ salt: traceOptions.salt });
  await lastValueFrom(inMemory(patient, { source, sinks: { traces }, rejected: rejectedSink() }), {
    defaultValue: undefined,
  });
  const records = await readAll(bus, topicName(prefix, 'traces'));
  const rows = records.map(({ value }) => JSON.parse(String(value)) as Row);
  expect(said).toEqual([]);
  expect(Object.keys(byId(traces.rows))).toHaveLength(names.length);
  expect(byId(rows)).toEqual(byId(traces.rows));
});

it('answers senders over HTTP when the broker has their spans', async () => {
  const prefix = `listen-${Date.now()}`;
  const stop = new AbortController();
  const { io, said } = testIo(stop.signal);
  const exit = cli(commands, '0', ['listen', '--brokers', broker.address, '--prefix', prefix, '--port', '0'], io);
  const url = await vi.waitFor(
    () => {
      const found = /Listening at (\S+),/.exec(said())?.[1];
      if (found === undefined) throw new Error(said());
      return found;
    },
    { timeout: 30_000 },
  );
  const send = async (path: string, body: Buffer) => {
    const headers = { 'content-type': 'application/x-protobuf' };
    const { status } = await fetch(`${url}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(status).toBe(200);
  };
  const talks = names.slice(0, 20).map((name) => talk(name));
  for (const records of talks) {
    await send('/v1/traces', protobufBody(records.slice(0, 5)));
    await send('/v1/logs', protobufBody(records.slice(5)));
  }
  const stored = await readAll(kafkaBus({ brokers: [broker.address] }), topicName(prefix, 'spans'));
  const ids = stored.flatMap(({ value }) => spanBatchOf(Buffer.from(value ?? '')).records.map(recordId));
  stop.abort();
  expect(await exit).toBe(0);
  expect(new Set(ids).size).toBe(20 * 6);
});

/** A group whose members come and go has no coordinator for a while. */
const unsettled = () => 1;

function startWorker(prefix: string, said: string[]): ChildProcess {
  const path = new URL('traces-worker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', path, broker.address, prefix], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.on('data', (text) => said.push(String(text)));
  return child;
}
