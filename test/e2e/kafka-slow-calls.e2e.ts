import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createCounters } from '../../src/core/counters.ts';
import { callOptions, defineMapAsync } from '../../src/core/define-map-async.ts';
import { headerText } from '../../src/core/record.ts';
import { run } from '../../src/core/run.ts';
import { kafkaDeadLetters } from '../../src/sinks/kafka-dead-letters.ts';
import { kafkaSource } from '../../src/sources/kafka.ts';
import { type KafkaBus, kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memorySink } from '../memory.ts';
import { type Broker, startBroker } from './broker.ts';
import { lagOf, readAll } from './topic-reader.ts';

/**
 * Calls that take longer than a session, scaled down: a session of 6 s, the broker's least, and calls of 9. `FULL_LENGTH=1`
 * runs them with the usual session of 10 s, calls of 5 minutes, and a rebalance that waits for them.
 */
const isFullLength = process.env['FULL_LENGTH'] === '1';
const schema = z.looseObject({ id: z.string() });
type Row = z.output<typeof schema>;
type Ask = (row: Row, signal: AbortSignal) => Promise<void> | void;
const longMs = isFullLength ? 1_800_000 : 600_000; // for a machine that is busy
const slowMs = isFullLength ? 300_000 : 9000;
const waits = isFullLength
  ? { sessionTimeoutMs: 10_000, rebalanceTimeoutMs: 420_000 }
  : { sessionTimeoutMs: 6000, rebalanceTimeoutMs: 60_000 };

let broker: Broker;
let bus: KafkaBus;
beforeAll(async () => {
  broker = await startBroker();
  bus = kafkaBus({ brokers: [broker.address], ...waits });
}, longMs);
afterAll(() => broker.stop(), longMs);

const grade = defineMapAsync({
  name: 'grade',
  options: z.strictObject(callOptions),
  core:
    (_options, { ask }: { readonly ask: Ask }) =>
    async (row: Row, signal) => {
      await ask(row, signal);
      return row;
    },
  example: { options: {}, ports: { ask: () => {} }, in: [], out: [] },
});

async function topicWith(name: string, rows: readonly (readonly [id: string, partition: number])[]) {
  await ensureTopics(
    [name, `${name}.dlq`].map((topic) => ({ name: topic, partitions: 2 })),
    bus,
  );
  const producer = bus.producer();
  await producer.connect();
  const messages = rows.map(([id, partition]) => ({ key: id, partition, value: JSON.stringify({ id }) }));
  await producer.send({ topic: name, messages, acks: -1 });
  await producer.disconnect();
}

/** A member of the group of a topic. */
function member(topic: string, ask: Ask, timeoutMs = 4 * slowMs) {
  const stop = new AbortController();
  const sink = memorySink<Row>();
  const { hooks, snapshot } = createCounters();
  const group = `${topic}-g`;
  const source = kafkaSource(
    { topic, drainMs: 0.75 * waits.rebalanceTimeoutMs },
    {
      consumer: bus.consumer(group),
      schema,
      stop: stop.signal,
      beforeJoin: (hook) => bus.beforeJoin(group, hook),
      rebalanceTimeoutMs: bus.rebalanceTimeoutMs,
    },
  );
  const rejected = kafkaDeadLetters({ topic: `${topic}.dlq` }, { producer: bus.producer });
  const operator = grade({ maxConcurrent: 8, timeoutMs }, { ask });
  const whole = lastValueFrom(run({ source, operator, sink, rejected, hooks, maxInFlight: 16 }), {
    defaultValue: undefined,
  });
  const finish = async (): Promise<void> => {
    stop.abort();
    await whole;
  };
  const counted = (what: string): number => snapshot().reduce((sum, { counts }) => sum + (counts[what] ?? 0), 0);
  return { sink, finish, counted };
}
const committed = (topic: string) =>
  vi.waitFor(async () => expect(await lagOf(bus, `${topic}-g`, topic)).toBe(0), { timeout: longMs, interval: 300 });

it(
  'lets a call take longer than the session: it is made once, and the other partition goes on meanwhile',
  async () => {
    const topic = 'slow-call';
    const quick = Array.from({ length: 50 }, (_, n) => [`q${n}`, 1] as const);
    await topicWith(topic, [['slow', 0], ...quick]);
    const asked: string[] = [];
    let doneMeanwhile = 0;
    const { sink, finish, counted } = member(topic, async ({ id }, signal) => {
      asked.push(id);
      if (id !== 'slow') return;
      await sleep(slowMs, undefined, { signal });
      doneMeanwhile = sink.rows.length;
    });
    await committed(topic);
    await finish();
    expect(doneMeanwhile).toBe(50);
    expect(asked.filter((id) => id === 'slow')).toEqual(['slow']);
    expect([asked.length, sink.rows.length, counted('lost')]).toEqual([51, 51, 0]);
  },
  longMs,
);

it(
  'makes no call twice when a member joins while slow calls run',
  async () => {
    const topic = 'slow-join';
    const slow = Array.from({ length: 6 }, (_, n) => [`s${n}`, n % 2] as const);
    await topicWith(topic, slow);
    const asked: string[] = [];
    const ask: Ask = async ({ id }, signal) => {
      asked.push(id);
      await sleep(slowMs, undefined, { signal });
    };
    const one = member(topic, ask);
    await vi.waitFor(() => expect(asked).toHaveLength(6), longMs);
    const two = member(topic, ask);
    await committed(topic);
    await Promise.all([one.finish(), two.finish()]);
    expect(asked.toSorted()).toEqual(slow.map(([id]) => id).toSorted());
    expect(one.sink.rows).toHaveLength(6);
  },
  longMs,
);

it(
  'cuts a call that hangs for ever at its time-out, and says so in a letter',
  async () => {
    const cutMs = isFullLength ? slowMs : 3000;
    const topic = 'hanging';
    await topicWith(
      topic,
      ['a', 'hangs', 'b', 'c'].map((id) => [id, 0] as const),
    );
    const { sink, finish } = member(topic, ({ id }) => (id === 'hangs' ? new Promise(() => {}) : undefined), cutMs);
    await committed(topic);
    await finish();
    expect(sink.rows.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
    const [letter, ...more] = await readAll(bus, `${topic}.dlq`);
    expect([letter?.key, headerText(letter?.headers ?? {}, 'dlq.reason'), more]).toEqual(['hangs', 'timeout', []]);
  },
  longMs,
);

it(
  'L40: holds a bounded part of 200,000 rows that wait',
  async () => {
    const topic = 'waiting';
    await topicWith(topic, []);
    const producer = bus.producer();
    await producer.connect();
    const total = 200_000;
    const text = 'x'.repeat(1000);
    for (let n = 0; n < total; n += 5000) {
      const messages = Array.from({ length: 5000 }, (_, i) => ({ value: JSON.stringify({ id: String(n + i), text }) }));
      await producer.send({ topic, messages, acks: -1, compression: kafkajs.CompressionTypes.GZIP });
    }
    await producer.disconnect();
    const before = process.memoryUsage.rss();
    let [calls, running, most, highest] = [0, 0, 0, 0];
    const { finish } = member(topic, async () => {
      calls++;
      most = Math.max(most, ++running);
      highest = Math.max(highest, process.memoryUsage.rss());
      await sleep(20);
      running--;
    });
    await vi.waitFor(() => expect(calls).toBeGreaterThan(1000), longMs);
    await finish();
    expect(most).toBe(8);
    expect(calls).toBeLessThan(total / 2); // most of them wait where they were
    expect((highest - before) / 2 ** 20).toBeLessThan(150); // the rows that wait are 200 MB, and more as objects
  },
  longMs,
);
