// Reads graded rows. A topic is at least once: the header `tm-id` tells a repeat.
// node --import tsx consumer.ts localhost:9092 evaluate.graded.v1
import { Kafka } from 'kafkajs';

const [broker = 'localhost:9092', topic = 'evaluate.graded.v1'] = process.argv.slice(2);
const consumer = new Kafka({ brokers: [broker] }).consumer({ groupId: 'my-service' });
const seen = new Set<string>(); // a service upserts by the id instead: then a restart forgets nothing

await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { headers = {}, value } }) => {
    const id = String(headers['tm-id']);
    if (value === null || seen.has(id)) return;
    const major = Number(String(headers['tm-schema']).split('/')[1]);
    if (major > 1) throw new Error(`rows of schema ${major} are newer than this reader`);
    const row = JSON.parse(String(value));
    process.stdout.write(`${id} ${row.reward}\n`);
    seen.add(id);
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void consumer.disconnect());
