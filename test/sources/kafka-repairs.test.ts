import { createRequire } from 'node:module';
import { expect, it, vi } from 'vitest';
import { beforeJoin, repairKafkajs } from '../../src/sources/kafka-repairs.ts';

const load = createRequire(import.meta.url);
repairKafkajs();

it('L37: sets no timer for a connection that has nothing to send, and none in the past', () => {
  vi.useFakeTimers();
  const warned = vi.spyOn(process, 'emitWarning');
  const RequestQueue = load('kafkajs/src/network/requestQueue') as new (
    options: object,
  ) => {
    scheduleCheckPendingRequests(): void;
    pending: unknown[];
    checkPendingRequests(): void;
  };
  const namespace = () => ({ debug: () => {}, namespace });
  const queue = new RequestQueue({ maxInFlightRequests: 1, clientId: 'x', broker: 'y', logger: namespace() });
  queue.scheduleCheckPendingRequests();
  expect(vi.getTimerCount()).toBe(0);
  const check = vi.spyOn(queue, 'checkPendingRequests').mockImplementation(() => {});
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  queue.scheduleCheckPendingRequests();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(10);
  expect(check).toHaveBeenCalledOnce();
  expect(warned).not.toHaveBeenCalled();
  vi.useRealTimers();
});

it('has what was asked done before a member joins again, and not before its first time', async () => {
  const { prototype } = load('kafkajs/src/consumer/consumerGroup') as {
    prototype: { joinAndSync(): Promise<unknown> };
  };
  const order: string[] = [];
  const member = (memberId: string | null) => ({
    groupId: 'g',
    memberId,
    heartbeat: async () => void order.push('heartbeat'),
    retrier: async () => void order.push('join'),
  });
  const forget = beforeJoin('g', async ({ memberId, heartbeat }) => {
    await heartbeat();
    order.push(`before ${memberId}`);
  });
  await prototype.joinAndSync.call(member(null));
  await prototype.joinAndSync.call(member('m'));
  forget();
  await prototype.joinAndSync.call(member('m'));
  expect(order).toEqual(['join', 'heartbeat', 'before m', 'join', 'join']);
});

it("never sends a refused commit again by itself: by then its partitions may be another member's", async () => {
  const { prototype } = load('kafkajs/src/consumer/runner') as {
    prototype: { commitOffsets(offsets: object): Promise<void> };
  };
  const refused = Object.assign(new Error('load in progress'), { retriable: true });
  const commitOffsets = vi.fn(async () => {}).mockRejectedValueOnce(refused);
  const retrier = async (work: (bail: () => void) => Promise<void>) => work(() => {}).catch(() => work(() => {}));
  const quiet = { debug: () => {} };
  const member = (running: boolean) => ({ running, retrier, logger: quiet, consumerGroup: { commitOffsets } });
  await expect(prototype.commitOffsets.call(member(true), {})).rejects.toBe(refused);
  expect(commitOffsets).toHaveBeenCalledOnce();
  await expect(prototype.commitOffsets.call(member(false), {})).rejects.toThrow('does not run'); // and is not said to be stored
  await prototype.commitOffsets.call(member(true), { topics: [] });
  expect(commitOffsets.mock.calls).toEqual([[{}], [{ topics: [] }]]);
});

it('takes a coordinator that nobody names while the broker stops for something that may pass', async () => {
  const { prototype } = load('kafkajs/src/cluster') as {
    prototype: { findGroupCoordinatorMetadata(group: object): Promise<unknown> };
  };
  const asking = (answer: unknown) => ({ brokerPool: { withBroker: async () => answer } });
  const found = { coordinator: { nodeId: 1 } };
  expect(await prototype.findGroupCoordinatorMetadata.call(asking(found), { groupId: 'g' })).toBe(found);
  await expect(prototype.findGroupCoordinatorMetadata.call(asking(null), { groupId: 'g' })).rejects.toMatchObject({
    name: 'KafkaJSGroupCoordinatorNotFound',
    retriable: true,
  });
});
