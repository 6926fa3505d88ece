import { expect, it, vi } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import type { KafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';

interface Seen {
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly value: string | null;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * What sources, sinks and pipelines rely on of a client and its broker. The same for the double in memory, for the client
 * that we use with a real broker, and for the next client.
 */
export function busContract(busOf: () => KafkaBus): void {
  let topics = 0;
  const freshTopic = async (partitions = 2): Promise<string> => {
    const name = `contract-${Date.now()}-${topics++}`;
    await ensureTopics([{ name, partitions }], busOf());
    return name;
  };
  const send = async (
    topic: string,
    keys: readonly string[],
    value: (key: string) => string | null = (key) => `of ${key}`,
  ) => {
    const producer = busOf().producer();
    await producer.connect();
    const messages = keys.map((key, n) => ({
      key,
      value: value(key),
      headers: { 'tm-id': `${n}`, bytes: Buffer.from([0xff, 0x00]) },
    }));
    await producer.send({ topic, messages, acks: -1 });
    await producer.disconnect();
  };
  /** A member of a group that resolves what it is handed and commits nothing by itself. */
  const member = async (topic: string, groupId: string) => {
    const consumer = busOf().consumer(groupId);
    const seen: Seen[] = [];
    const owned: number[][] = [];
    const passed: string[] = [];
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => owned.push(payload.memberAssignment[topic] ?? []));
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) =>
      passed.push(`${payload.partition}@${payload.lastOffset}`),
    );
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 2,
      eachBatch: async ({ batch, resolveOffset, heartbeat }) => {
        await heartbeat();
        for (const { offset, key, value, headers = {} } of batch.messages) {
          seen.push({ partition: batch.partition, offset, key: String(key), value: value && String(value), headers });
          resolveOffset(offset);
        }
        expect(Number(batch.highWatermark)).toBeGreaterThan(Number(batch.messages.at(-1)?.offset));
      },
    });
    return { consumer, seen, owned, passed };
  };
  const waitMs = 20_000;

  it('keeps the records of a key together and in order, with their headers as bytes', async () => {
    const topic = await freshTopic();
    await send(topic, ['a', 'b', 'a', 'c', 'a']);
    const { consumer, seen, passed } = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(seen).toHaveLength(5), waitMs);
    const ofA = seen.filter(({ key }) => key === 'a');
    expect(new Set(ofA.map(({ partition }) => partition)).size).toBe(1);
    expect(ofA.map(({ headers }) => headerText(headers as never, 'tm-id'))).toEqual(['0', '2', '4']);
    expect(ofA[0]?.headers['bytes']).toEqual(Buffer.from([0xff, 0x00]));
    await vi.waitFor(() => expect(passed.length).toBeGreaterThan(0), waitMs);
    await consumer.disconnect();
  });

  it('gives a record without a value as null', async () => {
    const topic = await freshTopic(1);
    await send(topic, ['gone'], () => null);
    const { consumer, seen } = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(seen.map(({ key, value }) => [key, value])).toEqual([['gone', null]]), waitMs);
    await consumer.disconnect();
  });

  it('goes on from what was committed, and tells it', async () => {
    const topic = await freshTopic(1);
    await send(topic, ['a', 'b', 'c']);
    const first = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(first.seen).toHaveLength(3), waitMs);
    await first.consumer.commitOffsets([{ topic, partition: 0, offset: '1' }]);
    await first.consumer.disconnect();
    const second = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(second.seen.map(({ offset }) => offset)).toEqual(['1', '2']), waitMs);
    await second.consumer.disconnect();
    const admin = busOf().admin();
    await admin.connect();
    expect((await admin.fetchOffsets({ groupId: `${topic}-g`, topics: [topic] }))[0]?.partitions[0]?.offset).toBe('1');
    expect((await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => [partition, low, high])).toEqual([
      [0, '0', '3'],
    ]);
    await admin.disconnect();
  });

  it('shares the partitions of a topic among the members of a group, and gives them back', async () => {
    const topic = await freshTopic();
    const one = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(one.owned.at(-1)).toHaveLength(2), waitMs);
    const two = await member(topic, `${topic}-g`);
    await vi.waitFor(
      () => expect([...(one.owned.at(-1) ?? []), ...(two.owned.at(-1) ?? [])].sort()).toEqual([0, 1]),
      waitMs,
    );
    await two.consumer.disconnect();
    await vi.waitFor(() => expect(one.owned.at(-1)?.length).toBe(2), waitMs);
    await one.consumer.disconnect();
  }, 60_000);

  it('asks before a member gives its partitions up', async () => {
    const topic = await freshTopic();
    const asked: string[] = [];
    const forget = busOf().beforeJoin(`${topic}-g`, async ({ memberId, heartbeat }) => {
      asked.push(memberId);
      await expect(heartbeat()).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    });
    const one = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(one.owned).toHaveLength(1), waitMs);
    const two = await member(topic, `${topic}-g`);
    await vi.waitFor(() => expect(one.owned.length).toBeGreaterThan(1), waitMs);
    expect(asked).toHaveLength(1);
    forget();
    await Promise.all([one.consumer.disconnect(), two.consumer.disconnect()]);
  }, 60_000);

  it('makes a topic once, and leaves the one that is there as it is', async () => {
    const topic = await freshTopic(3);
    await ensureTopics([{ name: topic, partitions: 5 }], busOf());
    const admin = busOf().admin();
    await admin.connect();
    expect(await admin.fetchTopicOffsets(topic)).toHaveLength(3);
    await admin.disconnect();
  });
}
