import { expect, it, vi } from 'vitest';
import { kafkaIds } from '../../src/sources/kafka-ids.ts';

const consumer = {
  events: { END_BATCH_PROCESS: 'end' },
  on: vi.fn(),
  connect: async () => {},
  subscribe: async () => {},
  run: async () => {},
  disconnect: async () => {},
};
const cut = (retriable: boolean) => Object.assign(new Error('read ECONNRESET'), { retriable });

function idsWith(...errors: Error[]) {
  const fetchTopicOffsets = vi.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
    return [{ partition: 0, offset: '0', high: '0', low: '0' }];
  });
  const admin = { connect: async () => {}, fetchTopicOffsets, disconnect: async () => {} };
  return { ids: kafkaIds('groups', { consumer: consumer as never, admin }), fetchTopicOffsets };
}

it('reads on when the broker restarts under its question', async () => {
  const { ids, fetchTopicOffsets } = idsWith(cut(true), cut(true));
  expect((await ids.read()).has('a')).toBe(false);
  expect(fetchTopicOffsets).toHaveBeenCalledTimes(3);
  await ids.close();
});

it('starts when the broker restarts while it subscribes', async () => {
  const subscribe = vi.fn(async () => {}).mockRejectedValueOnce(cut(true));
  const admin = { connect: async () => {}, fetchTopicOffsets: async () => [], disconnect: async () => {} };
  const ids = kafkaIds('groups', { consumer: { ...consumer, subscribe } as never, admin });
  expect((await ids.read()).has('a')).toBe(false);
  expect(subscribe).toHaveBeenCalledTimes(2);
  await ids.close();
});

it('ends with what a broker refuses for good', async () => {
  const { ids } = idsWith(cut(false));
  await expect(ids.read()).rejects.toMatchObject({ code: 'TM_SOURCE' });
});
