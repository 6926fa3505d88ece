import { Kafka, logLevel, Partitioners } from 'kafkajs';

/** The client as it comes, without our repairs: it writes one record. Argument: the broker. */
const [broker = ''] = process.argv.slice(2);
const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic: `bare-${Date.now()}` }] });
await admin.listTopics();
await admin.disconnect();
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();
await producer.disconnect();
