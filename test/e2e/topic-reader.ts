import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordHeaders } from '../../src/core/record.ts';
import type { KafkaBus } from '../../src/sources/kafka-bus.ts';
import { patiently } from '../../src/sources/kafka-patience.ts';

export interface Read {
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: RecordHeaders;
}

/** Every committed record that a topic has now, in the order of each partition. */
export async function readAll(bus: KafkaBus, topic: string): Promise<Read[]> {
  const admin = bus.admin();
  await admin.connect();
  const ends = await patiently(() => admin.fetchTopicOffsets(topic));
  await admin.disconnect();
  const left = new Map(
    ends.filter(({ high, low }) => high !== low).map(({ partition, high }) => [partition, Number(high)]),
  );
  const found: Read[] = [];
  const consumer = bus.consumer();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  // offsets, not records, tell the end: the marks of transactions take offsets too
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
    if (Number(lastOffset) + 1 >= (left.get(partition) ?? 0)) left.delete(partition);
  });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message: { offset, key, value, headers = {} } }) => {
      found.push({ partition, offset, key: String(key), value, headers });
    },
  });
  while (left.size > 0) await sleep(20);
  await consumer.disconnect();
  return found;
}

/** The rows of a topic as JSON text, each text of an id once, and how many records repeat one. Garbage is left out. */
export async function rowsById(
  bus: KafkaBus,
  topic: string,
): Promise<{ readonly texts: string[]; readonly repeated: number }> {
  const named = (await readAll(bus, topic)).filter(({ headers }) => headers['tm-id'] !== undefined);
  const rows = new Map(
    named.map(({ headers, value }) => [`${String(headers['tm-id'])} ${String(value)}`, String(value)]),
  );
  return { texts: [...rows.values()], repeated: named.length - rows.size };
}

/** How many records of a topic a group has not committed. */
export async function lagOf(bus: KafkaBus, groupId: string, topic: string): Promise<number> {
  const admin = bus.admin();
  await admin.connect();
  try {
    const ends = await patiently(() => admin.fetchTopicOffsets(topic));
    const [committed] = await patiently(() => admin.fetchOffsets({ groupId, topics: [topic] }));
    const at = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - (at.get(partition) ?? 0), 0);
  } finally {
    await admin.disconnect();
  }
}
