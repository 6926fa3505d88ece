import type { Admin } from 'kafkajs';
import type { KafkaBus } from '../../../src/sources/kafka-bus.ts';

/** Watches how far topics are written and groups have committed, through restarts of the broker. */
export function createWatch(bus: KafkaBus) {
  let admin: Admin | undefined;
  const call = async <T>(ask: (admin: Admin) => Promise<T>): Promise<T> => {
    for (;;)
      try {
        if (!admin) {
          admin = bus.admin();
          await admin.connect();
        }
        return await ask(admin);
      } catch {
        await admin?.disconnect().catch(() => {}); // a new one may do better
        admin = undefined;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
  };
  const ends = async (topic: string): Promise<number[]> => {
    const found = await call((admin) => admin.fetchTopicOffsets(topic));
    return found.toSorted((a, b) => a.partition - b.partition).map(({ high }) => Number(high));
  };
  /** By partition: the offset that a group has committed. */
  const committed = async (groupId: string, topic: string): Promise<ReadonlyMap<number, number>> => {
    const [found] = await call((admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
    return new Map(found?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
  };
  return {
    /** Records that were ever written to a topic. */
    written: async (topic: string): Promise<number> => (await ends(topic)).reduce((sum, end) => sum + end, 0),
    committed,
    /** Records that a group has not committed. */
    async lag(groupId: string, topic: string): Promise<number> {
      const at = await committed(groupId, topic);
      return (await ends(topic)).reduce((sum, end, partition) => sum + end - (at.get(partition) ?? 0), 0);
    },
    /** By partition, where a group that is behind has committed and where the topic ends. */
    async behind(groupId: string, topic: string): Promise<string[]> {
      const at = await committed(groupId, topic);
      return (await ends(topic)).flatMap((end, partition) =>
        end > (at.get(partition) ?? 0) ? [`${groupId} ${partition}: ${at.get(partition) ?? 0} of ${end}`] : [],
      );
    },
    /** Whether every group has its members and none rebalances. */
    async isStable(groupIds: readonly string[]): Promise<boolean> {
      const { groups } = await call((admin) => admin.describeGroups([...groupIds]));
      return groups.every(({ state }) => state === 'Stable');
    },
    close: async (): Promise<void> => admin?.disconnect().catch(() => {}), // it only read
  };
}
export type Watch = ReturnType<typeof createWatch>;
