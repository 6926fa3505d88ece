import type { Admin, Producer, Transaction } from 'kafkajs';
import type { CommitPoint, CommitPort } from '../core/commit-port.ts';
import { TracemillError } from '../core/errors.ts';
import type { Rejection, Tracked } from '../core/operator.ts';
import type { Origin, Receipt } from '../core/receipt.ts';
import { isLogRecord } from '../core/record.ts';
import type { Sink } from '../core/to-sink.ts';
import { inTopicOrder } from './kafka-dead-letters.ts';
import { cut, type Outgoing } from './kafka-sender.ts';

/** The part of the client that we use. */
export type TransactionalPort = Pick<Producer, 'connect' | 'transaction' | 'disconnect'>;

interface Deps<Row> {
  /** Consumer group and topic of the part. */
  readonly group: string;
  readonly topic: string;
  /** Makes a producer of this transactional id; connecting it fences every other one. */
  readonly producer: (transactionalId: string) => TransactionalPort;
  readonly admin: () => Pick<Admin, 'connect' | 'fetchOffsets' | 'disconnect'>;
  readonly recordsOf: (rows: readonly Row[], origins: readonly (readonly Origin[])[]) => Promise<Outgoing[]>;
  readonly lettersOf: (said: Rejection<unknown>) => Outgoing[];
}

/** Both ends of a part that stores rows, dead letters and offsets together, and the commits of its source. */
export interface Transactions<Row> {
  readonly rows: Sink<Row>;
  readonly rejected: Sink<Rejection<unknown>>;
  readonly commits: CommitPort;
}

interface Held {
  readonly offset: number;
  readonly records: readonly Outgoing[];
  readonly receipt: Receipt;
  readonly settle: { readonly resolve: (isStored: boolean) => void; readonly reject: (error: unknown) => void };
}

/** What is owned of one partition. */
interface Owned {
  readonly partition: number;
  readonly producer: TransactionalPort;
  undone: () => Iterable<number>;
  /** By offset: rows of one record, which wait for those of the records before it. */
  readonly held: Map<number, Held[]>;
  /** Groups of many records. They are stored at once, and a replay is dropped by what the topic holds. */
  gathered: Held[];
  committed: number;
  /** Ends with the last transaction that was asked for: one runs at a time. */
  last: Promise<void>;
  /** A transaction of what is held waits for its turn. */
  flushing: Promise<void> | undefined;
}

const maxRows = 500;

/**
 * Store what came of the records of a topic and their offsets in one transaction, so that readers of committed records see
 * every row once. A row of one record waits for those of earlier records, so a slow call holds its partition up; a group is
 * stored at once, and its window drops the replay. One producer for each partition that is owned: winning a partition fences its former owner, and the
 * committed offset is read again only then. Any error ends the part: what was not committed is made again.
 *
 * @throws TM_SINK - a transaction failed, or another process owns the partition by now
 */
export function kafkaTransactions<Row>(deps: Deps<Row>): Transactions<Row> {
  const { group, topic, recordsOf, lettersOf } = deps;
  const owned = new Map<number, Owned>();

  const store = async ({ partition, producer }: Owned, held: readonly Held[], point: number): Promise<void> => {
    let transaction: Transaction | undefined;
    try {
      transaction = await producer.transaction();
      const records = inTopicOrder(held.flatMap((one) => one.records));
      for (const sending of cut(records, maxBytes)) await transaction.send(sending);
      const partitions = [{ partition, offset: String(point) }];
      if (point >= 0) await transaction.sendOffsets({ consumerGroupId: group, topics: [{ topic, partitions }] });
      await transaction.commit();
    } catch (cause) {
      await transaction?.abort().catch(() => {}); // the broker does it when its time is over
      throw new TracemillError('TM_SINK', `transaction of ${topic}, partition ${partition}: ${String(cause)}`, {
        cause,
      });
    }
  };
  /** Transactions one after the other, until nothing can be stored. */
  const flush = async (one: Owned): Promise<void> => {
    for (let next = nextOf(one); next; next = nextOf(one)) {
      const { held, point } = next;
      try {
        await store(one, held, point > one.committed ? point : -1);
      } catch (error) {
        if (owned.get(one.partition) === one) {
          for (const { settle } of held) settle.reject(error);
          throw error;
        }
        for (const { settle } of held) settle.resolve(false); // it was lost meanwhile: its next owner makes them
        return;
      }
      one.committed = Math.max(one.committed, point);
      for (const { receipt, settle } of held) {
        receipt.done();
        settle.resolve(true);
      }
    }
  };
  const inTurn = (one: Owned, work: () => Promise<void>): Promise<void> => {
    const mine = one.last.then(work);
    one.last = mine.catch(() => {}); // told to who asked for it
    return mine;
  };
  const start = (one: Owned): Promise<void> => {
    one.flushing ??= inTurn(one, async () => {
      await soon();
      one.flushing = undefined; // what comes from now on asks for another
      await flush(one);
    });
    return one.flushing;
  };
  const hold = (receipt: Receipt, records: readonly Outgoing[]): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const [from, ...others] = receipt.origins.filter(isLogRecord);
      const one = from && owned.get(from.partition);
      if (!from || !one) return resolve(false); // the partition is lost, and its receipts count for nothing
      const offset = Number(from.offset);
      const held = { offset, records, receipt, settle: { resolve, reject } };
      const known = one.held.get(offset);
      if (others.length > 0) one.gathered.push(held);
      else if (known) known.push(held);
      else one.held.set(offset, [held]);
      start(one).catch(reject);
    });
  const none = async (): Promise<void> => {};
  return {
    rows: {
      write: none,
      close: none,
      take: async ({ row, receipt }: Tracked<Row>) => hold(receipt, await recordsOf([row], [receipt.origins])),
    },
    rejected: {
      write: none,
      close: none,
      take: ({ row, receipt }: Tracked<Rejection<unknown>>) => hold(receipt, lettersOf(row)),
    },
    commits: {
      async won(partition) {
        const producer = deps.producer(`${group}-${topic}-${partition}`);
        await producer.connect();
        const committed = await committedOf(deps, partition); // only now: the former owner cannot commit any more
        owned.set(partition, {
          partition,
          producer,
          undone: () => [],
          held: new Map(),
          gathered: [],
          committed,
          last: Promise.resolve(),
          flushing: undefined,
        });
        return Math.max(0, committed);
      },
      opened(partition, undone) {
        const one = owned.get(partition);
        if (one) one.undone = undone;
      },
      lost(partition) {
        const one = owned.get(partition);
        owned.delete(partition);
        for (const { settle } of [...(one?.held.values() ?? [])].flat().concat(one?.gathered ?? []))
          settle.resolve(false);
        void one?.producer.disconnect().catch(() => {}); // its transaction is aborted by the next owner
      },
      async commit(points: readonly CommitPoint[]) {
        for (const { partition, offset } of points) {
          const one = owned.get(partition);
          if (!one) continue;
          await inTurn(one, async () => {
            if (Number(offset) > one.committed) await store(one, [], Number(offset));
            one.committed = Math.max(one.committed, Number(offset));
            await flush(one); // what waited for a record of which no row came
          });
        }
      },
    },
  };
}

const maxBytes = 900_000;
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve)); // what comes in one turn goes together

/** What can be stored now, and the offset up to which everything is done with it. */
function nextOf(one: Owned): { readonly held: readonly Held[]; readonly point: number } | undefined {
  const { held, undone, gathered } = one;
  const taken: Held[] = [];
  let point = one.committed;
  for (const offset of undone()) {
    point = offset;
    const all = held.get(offset);
    if (!all || all[0]?.receipt.owed !== all.length || taken.length >= maxRows) break;
    held.delete(offset);
    taken.push(...all);
    point = offset + 1;
  }
  one.gathered = [];
  return taken.length + gathered.length === 0 ? undefined : { held: [...taken, ...gathered], point };
}

async function committedOf<Row>({ group, topic, admin: makeAdmin }: Deps<Row>, partition: number): Promise<number> {
  const admin = makeAdmin();
  try {
    await admin.connect();
    const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    const place = found?.partitions.find((one) => one.partition === partition);
    return Number(place?.offset ?? -1);
  } finally {
    await admin.disconnect().catch(() => {}); // nothing hangs on it
  }
}
