import type { Admin } from 'kafkajs';

/** Resolves when a topic holds so many records. */
export async function untilHolds(
  { admin: makeAdmin }: { readonly admin: () => Admin },
  topic: string,
  records: number,
): Promise<void> {
  const admin = makeAdmin();
  await admin.connect();
  for (let held = 0; held < records; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    held = (await admin.fetchTopicOffsets(topic)).reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  }
  await admin.disconnect();
}
