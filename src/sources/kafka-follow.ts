import type { Admin, Consumer, KafkaMessage } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';
import { patiently } from './kafka-patience.ts';

type ConsumerPort = Pick<Consumer, 'connect' | 'subscribe' | 'run' | 'disconnect' | 'on' | 'events'>;

export interface FollowDeps {
  /** In a group of its own that commits nothing. */
  readonly consumer: ConsumerPort;
  readonly admin: Pick<Admin, 'connect' | 'fetchTopicOffsets' | 'disconnect'>;
}

/** A topic that is read from its first record on, for what it tells, by every process for itself. */
export interface Followed {
  /**
   * Resolves when every record has been seen that the topic had at the call. It goes on reading.
   *
   * @throws TM_SOURCE - the topic cannot be read
   */
  caughtUp(): Promise<void>;
  /** Rejects when its consumer ended for good: what it tells grows old from then on. @throws TM_SOURCE */
  readonly ended: Promise<never>;
  close(): Promise<void>;
}

/** Follow a topic: nothing is read before the first `caughtUp()`. */
export function followTopic(
  topic: string,
  see: (message: KafkaMessage) => void,
  { consumer, admin }: FollowDeps,
): Followed {
  const next = new Map<number, number>();
  let wake: () => void = () => {};
  let started: Promise<void> | undefined;
  let fail: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => (fail = reject));
  ended.catch(() => {}); // whoever waits for it is told
  const passed = (partition: number, lastOffset: string): void => {
    next.set(partition, Number(lastOffset) + 1);
    wake();
  };
  const start = async (): Promise<void> => {
    // also told of batches that hold nothing but the marks of transactions
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => passed(payload.partition, payload.lastOffset));
    consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
      if (!restart) fail(new TracemillError('TM_SOURCE', `topic ${topic} is not followed any more`, { cause: error }));
    });
    await patiently(() => Promise.all([consumer.connect(), admin.connect()]));
    await patiently(() => consumer.subscribe({ topic, fromBeginning: true }));
    await consumer.run({ autoCommit: false, eachBatch: async ({ batch }) => batch.messages.forEach(see) });
  };
  return {
    async caughtUp() {
      try {
        started ??= start();
        await started;
        const ends = await patiently(() => admin.fetchTopicOffsets(topic));
        const behind = () =>
          ends.some(({ partition, high, low }) => high !== low && (next.get(partition) ?? 0) < Number(high));
        while (behind()) await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(50), ended]);
      } catch (cause) {
        throw new TracemillError('TM_SOURCE', `topic ${topic} cannot be followed`, { cause });
      }
    },
    ended,
    close: async () => {
      if (started !== undefined) await Promise.all([consumer.disconnect(), admin.disconnect()]);
    },
  };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
