import type { Admin, Consumer } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';
import { createKeySet } from '../core/key-set.ts';
import { headerText } from '../core/record.ts';

type ConsumerPort = Pick<Consumer, 'connect' | 'subscribe' | 'run' | 'disconnect' | 'on' | 'events'>;

interface Deps {
  /** In a group of its own that commits nothing. */
  readonly consumer: ConsumerPort;
  readonly admin: Pick<Admin, 'connect' | 'fetchTopicOffsets' | 'disconnect'>;
  /** Ids remembered, 24 to 48 bytes each; the oldest is forgotten first. */
  readonly maxIds?: number;
}

/**
 * Know the ids (`tm-id`) of the records of a topic. `read()` resolves when it has seen the topic as it was at the call, and
 * goes on reading. Memory: `maxIds` ids, as hashes.
 */
export function kafkaIds(topic: string, { consumer, admin, maxIds = 2 ** 22 }: Deps) {
  const ids = createKeySet(maxIds);
  const next = new Map<number, number>();
  let wake: () => void = () => {};
  let started: Promise<void> | undefined;
  const passed = (partition: number, lastOffset: string): void => {
    next.set(partition, Number(lastOffset) + 1);
    wake();
  };
  const start = async (): Promise<void> => {
    // also told of batches that hold nothing but the marks of transactions
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => passed(payload.partition, payload.lastOffset));
    await Promise.all([consumer.connect(), admin.connect()]);
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const { headers = {}, key } of batch.messages) ids.add(headerText(headers, 'tm-id') ?? String(key));
      },
    });
  };
  return {
    async read(): Promise<{ has(id: string): boolean }> {
      try {
        started ??= start();
        await started;
        const ends = await admin.fetchTopicOffsets(topic);
        const behind = () =>
          ends.some(({ partition, high, low }) => high !== low && (next.get(partition) ?? 0) < Number(high));
        while (behind()) await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(50)]);
        return ids;
      } catch (cause) {
        throw new TracemillError('TM_SOURCE', `ids of topic ${topic}`, { cause });
      }
    },
    close: async (): Promise<void> => {
      if (started !== undefined) await Promise.all([consumer.disconnect(), admin.disconnect()]);
    },
  };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
