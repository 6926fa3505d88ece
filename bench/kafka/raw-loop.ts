import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import { registerCodecs } from '../../src/sources/kafka-codecs.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { printFigures } from '../stream/figures.ts';
import { untilHolds } from './until.ts';

/** The client alone: as many hops, each reads a topic and writes what it read to the next, 500 rows a send, then commits. */
const [broker = '', prefix = '', rows = '0', hops = '4', partitions = '4', packing = ''] = process.argv.slice(2);
const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
if (packing === 'level 1') await registerCodecs();
const topicOf = (hop: number) =>
  hop === 0 ? `${prefix}.asks.v1` : `${prefix}.raw${hop}${packing === '' ? '' : '.packed'}.v1`;
const numbers = Array.from({ length: Number(hops) }, (_, hop) => hop);
await ensureTopics(
  numbers.map((hop) => ({ name: topicOf(hop + 1), partitions: Number(partitions) })),
  { admin: () => kafka.admin() },
);
const startMs = performance.now();
const consumers = await Promise.all(
  numbers.map(async (hop) => {
    const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
    const consumer = kafka.consumer({ groupId: topicOf(hop + 1), maxWaitTimeInMs: 200 });
    await Promise.all([producer.connect(), consumer.connect()]);
    await consumer.subscribe({ topic: topicOf(hop), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: 8,
      async eachBatch({ batch: { topic, partition, messages }, heartbeat }) {
        for (let at = 0; at < messages.length; at += 500) {
          const some = messages.slice(at, at + 500);
          await producer.send({
            topic: topicOf(hop + 1),
            messages: some.map(({ key, value, headers }) => ({ key, value, ...(headers && { headers }) })),
            acks: -1,
            compression: CompressionTypes.GZIP,
          });
          const last = some.at(-1);
          if (last) await consumer.commitOffsets([{ topic, partition, offset: String(Number(last.offset) + 1) }]);
          await heartbeat();
        }
      },
    });
    return consumer;
  }),
);
await untilHolds({ admin: () => kafka.admin() }, topicOf(Number(hops)), Number(rows));
const work_s = Number(((performance.now() - startMs) / 1000).toFixed(2));
await Promise.all(consumers.map((consumer) => consumer.disconnect()));
printFigures({ work_s });
process.exit(); // the client keeps idle connections
