import kafkajs from 'kafkajs';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createCounters } from '../../src/core/counters.ts';
import { callOptions, defineMapAsync } from '../../src/core/define-map-async.ts';
import { headerText } from '../../src/core/record.ts';
import { run } from '../../src/core/run.ts';
import { kafkaSink } from '../../src/sinks/kafka.ts';
import { kafkaDeadLetters } from '../../src/sinks/kafka-dead-letters.ts';
import { kafkaSource } from '../../src/sources/kafka.ts';
import { type KafkaBus, kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memorySink } from '../memory.ts';
import { type Broker, startBroker } from './broker.ts';
import { lagOf, readAll } from './topic-reader.ts';

const schema = z.looseObject({ id: z.string(), text: z.string() });
type Row = z.output<typeof schema>;
const row = (id: string, size = 10): Row => ({ id, text: 'x'.repeat(size) });
const place = { key: ({ id }: Row) => id, id: ({ id }: Row) => id, stage: 'test', schema: 'rows/1' };
const nothing = { defaultValue: undefined };
const longMs = 600_000; // for a machine that is busy; a hang still ends
const wait = { timeout: longMs, interval: 300 };

let broker: Broker;
let bus: KafkaBus;
let topics = 0;
beforeAll(async () => {
  broker = await startBroker();
  bus = kafkaBus({ brokers: [broker.address], sessionTimeoutMs: 6000 });
}, longMs);
afterAll(() => broker.stop(), longMs);

const freshTopic = async (partitions = 2): Promise<string> => {
  const name = `traps-${topics++}`;
  await ensureTopics(
    [name, `${name}.dlq`].map((topic) => ({ name: topic, partitions })),
    bus,
  );
  return name;
};
const idsIn = async (topic: string) =>
  (await readAll(bus, topic)).map(({ headers }) => headerText(headers, 'tm-id') ?? '').sort();

describe('a sink', () => {
  it(
    'loses nothing after a send that was refused for one of its partitions',
    async () => {
      const topic = await freshTopic(4);
      const sink = kafkaSink<Row>(
        { topic, maxSendBytes: 2e7, maxRecordBytes: 2e7 },
        { producer: bus.producer, ...place },
      );
      await sink.write(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id)));
      // it does not pack, so the broker refuses its partition, and stores the rows of the others
      const part = () => Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString('base64');
      const large = { id: 'large', text: Array.from({ length: 200 }, part).join('') };
      await expect(sink.write([large, row('g'), row('h'), row('i'), row('j')])).rejects.toMatchObject({
        code: 'TM_SINK',
      });
      for (const id of ['k', 'l', 'm', 'n', 'o', 'p']) await sink.write([row(id)]);
      await sink.close();
      const ids = await idsIn(topic);
      expect(['a', 'b', 'c', 'd', 'e', 'f', 'k', 'l', 'm', 'n', 'o', 'p'].filter((id) => !ids.includes(id))).toEqual(
        [],
      );
    },
    longMs,
  );

  it(
    'L35: stores 3,000 rows of one key, and what is too large as a cut letter',
    async () => {
      const topic = await freshTopic();
      const sink = kafkaSink<Row>({ topic }, { producer: bus.producer, ...place, key: () => 'one' });
      await sink.write([
        row('large', 8_100_000),
        ...Array.from({ length: 3000 }, (_, n) => row(String(n), 1000)),
        row('wide', 2_000_000),
      ]);
      await sink.close();
      expect(await idsIn(topic)).toHaveLength(3001);
      const [letter] = await readAll(bus, `${topic}.dlq`);
      expect([letter?.value?.length, headerText(letter?.headers ?? {}, 'dlq.reason')]).toEqual([65_536, 'too_large']);
    },
    longMs,
  );
});

const hold = defineMapAsync({
  name: 'hold',
  options: z.strictObject(callOptions),
  core:
    (_options, { ask }: { readonly ask: (row: Row) => Promise<void> | void }) =>
    async (row: Row) => {
      await ask(row);
      return row;
    },
  example: { options: {}, ports: { ask: () => {} }, in: [], out: [] },
});

/** A stage over a topic, until it is stopped or ends by itself. */
function stage(topic: string, ask: (row: Row) => Promise<void> | void, letters = `${topic}.dlq`) {
  const stop = new AbortController();
  const sink = memorySink<Row>();
  const { hooks, snapshot } = createCounters();
  const source = kafkaSource({ topic }, { consumer: bus.consumer(`${topic}-g`), schema, stop: stop.signal });
  const rejected = kafkaDeadLetters({ topic: letters }, { producer: bus.producer });
  const whole = lastValueFrom(
    run({ source, operator: hold({ maxConcurrent: 8 }, { ask }), sink, rejected, hooks, maxInFlight: 16 }),
    nothing,
  );
  const finish = async () => {
    stop.abort();
    await whole;
  };
  return { sink, snapshot, whole, finish };
}
const produce = async (
  topic: string,
  values: readonly (string | Buffer)[],
  compression = kafkajs.CompressionTypes.None,
) => {
  const producer = bus.producer();
  await producer.connect();
  await producer.send({ topic, messages: values.map((value) => ({ key: 'k', value })), acks: -1, compression });
  await producer.disconnect();
};

describe('a source', () => {
  it(
    'L34: handles 9 good rows around a bad one and one whose step throws, and keeps both as letters',
    async () => {
      const topic = await freshTopic(1);
      const bad = Buffer.from([0x7b, 0xff, 0x00]);
      const good = Array.from({ length: 9 }, (_, n) => JSON.stringify(row(String(n))));
      await produce(topic, [...good.slice(0, 4), bad, JSON.stringify(row('throws')), ...good.slice(4)]);
      const { sink, finish } = stage(topic, ({ id }) => {
        if (id === 'throws') throw new SyntaxError('a bug in a step');
      });
      await vi.waitFor(async () => expect(await lagOf(bus, `${topic}-g`, topic)).toBe(0), wait);
      await finish();
      expect(sink.rows.map(({ id }) => id).sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
      const letters = await readAll(bus, `${topic}.dlq`);
      expect(
        letters.map(({ value, headers }) => [
          value,
          headerText(headers, 'dlq.offset'),
          headerText(headers, 'dlq.error_class'),
        ]),
      ).toEqual([
        [bad, '4', 'SyntaxError'],
        [Buffer.from(JSON.stringify(row('throws'))), '5', 'SyntaxError'],
      ]);
    },
    longMs,
  );

  it(
    'commits nothing past a bad row whose letter cannot be written, and ends',
    async () => {
      const topic = await freshTopic(1);
      await produce(topic, ['not json', JSON.stringify(row('a'))]);
      const broken = new Error('no letters today');
      const source = kafkaSource({ topic }, { consumer: bus.consumer(`${topic}-g`), schema });
      const rejected = { write: () => Promise.reject(broken), close: async () => {} };
      const ends = { operator: hold({}, { ask: () => {} }), sink: memorySink<Row>(), rejected };
      await expect(lastValueFrom(run({ source, ...ends }), nothing)).rejects.toThrow('no letters today');
      expect(await lagOf(bus, `${topic}-g`, topic)).toBe(2);
    },
    longMs,
  );

  it(
    'reads what other producers packed, with every codec that is installed',
    async () => {
      const topic = await freshTopic(1);
      const { None, GZIP, Snappy, LZ4, ZSTD } = kafkajs.CompressionTypes;
      const registering = bus.consumer();
      await registering.connect();
      await registering.disconnect();
      for (const [n, codec] of [None, GZIP, Snappy, LZ4, ZSTD].entries())
        await produce(topic, [JSON.stringify(row(String(n), 500))], codec);
      const { sink, finish } = stage(topic, () => {});
      await vi.waitFor(() => expect(sink.rows.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']), longMs);
      await finish();
    },
    longMs,
  );

  it(
    'ends with what to install when a record is packed with a codec that is not there',
    async () => {
      const topic = await freshTopic(1);
      const { CompressionTypes, CompressionCodecs } = kafkajs;
      await produce(topic, [JSON.stringify(row('a', 500))], CompressionTypes.Snappy);
      const codec = CompressionCodecs[CompressionTypes.Snappy];
      const missing = class extends Error {
        override readonly name = 'KafkaJSNotImplemented';
      };
      const { whole } = stage(topic, () => {});
      CompressionCodecs[CompressionTypes.Snappy] = () => {
        throw new missing('Snappy compression not implemented');
      };
      await expect(whole).rejects.toMatchObject({
        code: 'TM_SOURCE',
        reason: 'unknown_codec',
        message: expect.stringContaining('kafkajs-snappy'),
      });
      CompressionCodecs[CompressionTypes.Snappy] = codec;
    },
    longMs,
  );

  it(
    'loses nothing when the broker is killed under load and comes back, and goes on soon',
    async () => {
      const topic = await freshTopic(2);
      const total = 3000;
      const sink = kafkaSink<Row>({ topic }, { producer: bus.producer, ...place });
      const sent: string[] = [];
      const sending = (async () => {
        for (let n = 0; n < total; n += 10) {
          const rows = Array.from({ length: 10 }, (_, i) => row(String(n + i), 200));
          await sink.write(rows);
          sent.push(...rows.map(({ id }) => id));
        }
        await sink.close();
      })();
      const { sink: done, finish } = stage(topic, () => new Promise((resolve) => setTimeout(resolve, 3)));
      await vi.waitFor(() => expect(done.rows.length).toBeGreaterThan(200), longMs);
      await broker.kill();
      await broker.up();
      const [before, upMs] = [done.rows.length, performance.now()];
      await vi.waitFor(() => expect(done.rows.length).toBeGreaterThan(before), longMs);
      process.stdout.write(`rows came again ${Math.round(performance.now() - upMs)} ms after the broker answered\n`);
      await sending;
      await vi.waitFor(async () => expect(await lagOf(bus, `${topic}-g`, topic)).toBe(0), wait);
      await finish();
      expect(sent).toHaveLength(total);
      expect(new Set(done.rows.map(({ id }) => id)).size).toBe(total);
    },
    longMs,
  );

  it(
    'finds everything after an orderly restart of the broker: records, and what was committed',
    async () => {
      const topic = await freshTopic(2);
      await produce(
        topic,
        ['a', 'b', 'c'].map((id) => JSON.stringify(row(id))),
      );
      const { finish } = stage(topic, () => {});
      await vi.waitFor(async () => expect(await lagOf(bus, `${topic}-g`, topic)).toBe(0), wait);
      await finish();
      await broker.down();
      await broker.up();
      expect(await readAll(bus, topic)).toHaveLength(3);
      expect(await lagOf(bus, `${topic}-g`, topic)).toBe(0);
    },
    longMs,
  );
});
