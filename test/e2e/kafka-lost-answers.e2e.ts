import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import { kafkaSink } from '../../src/sinks/kafka.ts';
import { type KafkaBus, kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { type Broker, startBroker } from './broker.ts';
import { lossyProxy } from './lossy-proxy.ts';
import { readAll } from './topic-reader.ts';

interface Row {
  readonly id: string;
}
const place = { key: ({ id }: Row) => id, id: ({ id }: Row) => id, stage: 'test', schema: 'rows/1' };

let proxy: Awaited<ReturnType<typeof lossyProxy>>;
let broker: Broker;
let bus: KafkaBus;
const address = () => `127.0.0.1:${proxy.port}`;
beforeAll(async () => {
  proxy = await lossyProxy();
  broker = await startBroker(`advertised.listeners=PLAINTEXT://${address()}`);
  proxy.lead(Number(broker.address.split(':')[1]));
  bus = kafkaBus({ brokers: [address()] });
}, 600_000);
afterAll(async () => {
  await broker.stop();
  proxy.close();
}, 600_000);

const idsIn = async (topic: string) =>
  (await readAll(bus, topic)).map(({ headers }) => headerText(headers, 'tm-id') ?? '').sort();
const freshTopic = async (name: string) => {
  await ensureTopics([{ name, partitions: 2 }], bus);
  return name;
};

it('stores a row once when the answer to its write is lost', async () => {
  const topic = await freshTopic('lost-once');
  const sink = kafkaSink<Row>({ topic }, { producer: bus.producer, ...place });
  await sink.write([{ id: 'a' }]);
  const before = proxy.lost();
  proxy.lose(1);
  await sink.write([{ id: 'b' }]);
  await sink.write([{ id: 'c' }]);
  await sink.close();
  expect(proxy.lost() - before).toBe(1);
  expect(await idsIn(topic)).toEqual(['a', 'b', 'c']);
}, 600_000);

it('loses no later row when answers are lost until the client gives up', async () => {
  const topic = await freshTopic('lost-often');
  const client = new kafkajs.Kafka({
    brokers: [address()],
    retry: { retries: 2, initialRetryTime: 50 },
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const producer = () =>
    client.producer({ idempotent: true, createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  const sink = kafkaSink<Row>({ topic }, { producer, ...place });
  await sink.write([{ id: 'a' }, { id: 'b' }]);
  proxy.lose(20);
  await expect(sink.write([{ id: 'c' }])).rejects.toMatchObject({ code: 'TM_SINK', retriable: true });
  proxy.lose(0);
  for (const id of ['c', 'd', 'e', 'f', 'g']) await sink.write([{ id }]);
  await sink.close();
  expect([...new Set(await idsIn(topic))]).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
}, 600_000);
