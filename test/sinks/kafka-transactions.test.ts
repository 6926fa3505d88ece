import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFlow } from '../../src/core/flow.ts';
import { createLedger } from '../../src/core/ledger.ts';
import { Receipt } from '../../src/core/receipt.ts';
import { kafkaTransactions, type TransactionalPort } from '../../src/sinks/kafka-transactions.ts';

const aWhile = () => sleep(5); // what can be stored is, by then
const fine = async (): Promise<void> => {};

/** Transactions of one partition over a producer that tells what it stores, and records of it as a source enters them. */
async function onePartition(committing = fine) {
  const stored: string[] = [];
  const transaction = async () => {
    const parts: string[] = [];
    return {
      send: async ({ messages }: { messages: { value: string }[] }) =>
        void parts.push(...messages.map(({ value }) => value)),
      sendOffsets: async ({ topics }: { topics: { partitions: { offset: string }[] }[] }) =>
        void parts.push(`@${topics[0]?.partitions[0]?.offset}`),
      commit: async () => {
        await committing();
        stored.push(parts.join(' '));
      },
      abort: fine,
    };
  };
  const transactions = kafkaTransactions<string>({
    group: 'g',
    topic: 'in',
    producer: () => ({ connect: fine, disconnect: fine, transaction }) as unknown as TransactionalPort, // the calls made
    admin: () => ({ connect: fine, disconnect: fine, fetchOffsets: async () => [] }),
    recordsOf: async (rows) => rows.map((value) => ({ topic: 'out', key: null, value, headers: {} })),
    lettersOf: () => [],
  });
  const { commits, rows } = transactions;
  await commits.won(0);
  const ledger = createLedger();
  commits.opened(0, ledger.undone);
  const lane = createFlow(10).lane();
  const enter = (offset: number) =>
    new Receipt(lane, ledger.enter(offset), [
      { topic: 'in', partition: 0, offset: String(offset), timestamp: '0', key: null, value: null, headers: {} },
    ]);
  const take = async (row: string, receipt: Receipt) => rows.take?.({ row, receipt });
  /** What the source does every now and then. */
  const tick = () => commits.commit([{ partition: 0, offset: String(ledger.point()) }]);
  return { stored, enter, take, tick, commits };
}

it('stores a row that waited for an earlier record, although no row comes of that one', async () => {
  const { stored, enter, take, tick } = await onePartition();
  const [slow, quick] = [enter(4), enter(5)];
  const taken = take('five', quick);
  await aWhile();
  slow.done(); // it was filtered out
  await tick();
  expect(stored).toEqual(['@5', 'five @6']);
  await taken;
});

it('stores rows in the order of their records, whichever is ready first, with the offset behind the last of them', async () => {
  const { stored, enter, take } = await onePartition();
  const [first, second, third] = [enter(0), enter(1), enter(2)];
  const taken = [take('two', second)];
  await aWhile();
  expect(stored).toEqual([]);
  taken.push(take('one', first));
  await Promise.all(taken);
  await take('three', third);
  expect(stored).toEqual(['one two @2', 'three @3']);
});

it('lets go of rows that wait when their partition is lost: nothing moves here any more', async () => {
  const { stored, enter, take, commits } = await onePartition();
  enter(0);
  const waiting = take('one', enter(1));
  await aWhile();
  commits.lost(0);
  expect([await waiting, await take('two', enter(2)), stored]).toEqual([false, false, []]);
});

it('ends when a transaction fails, and goes on when that is because its partition was lost meanwhile', async () => {
  const broken = await onePartition(() => Promise.reject(new Error('fenced')));
  await expect(broken.take('one', broken.enter(0))).rejects.toMatchObject({ code: 'TM_SINK' });
  const lost = await onePartition(async () => {
    lost.commits.lost(0);
    throw new Error('fenced');
  });
  expect(await lost.take('one', lost.enter(0))).toBe(false);
});
