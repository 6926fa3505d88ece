import type { KafkaBus } from '../../src/sources/kafka-bus.ts';

/** Resolves when a topic holds so many records. */
export async function untilHolds(bus: KafkaBus, topic: string, records: number): Promise<void> {
  const admin = bus.admin();
  await admin.connect();
  for (let held = 0; held < records; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    held = (await admin.fetchTopicOffsets(topic)).reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  }
  await admin.disconnect();
}
