import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import type { KafkaBus } from '../../src/sources/kafka-bus.ts';
import { followTopic } from '../../src/sources/kafka-follow.ts';
import { type Broker, startBroker } from './broker.ts';
import { buildWorker } from './build-program.ts';
import { undisturbed } from './chaos/expected.ts';
import { feed } from './chaos/poison.ts';
import { openSite } from './chaos/site.ts';
import { rollouts, sentOnce } from './scene.ts';

let broker: Broker;
let worker: string;
let close: (() => Promise<void>) | undefined;
const longMs = 1_200_000; // for a machine that is busy; what hangs is noticed by `settle`
beforeAll(async () => {
  [broker, worker] = await Promise.all([startBroker(), buildWorker()]);
}, longMs);
afterEach(() => close?.(), longMs);
afterAll(() => broker.stop(), longMs);

/** Ids of the committed records of a topic: what a reader of committed records sees. */
async function committedIds(bus: KafkaBus, topic: string): Promise<string[]> {
  const ids: string[] = [];
  const see = ({ headers = {} }: { headers?: Parameters<typeof headerText>[0] }) =>
    void ids.push(headerText(headers, 'tm-id') ?? '');
  const followed = followTopic(topic, see, { consumer: bus.consumer(), admin: bus.admin() });
  await followed.caughtUp();
  await followed.close();
  return ids.sort();
}

async function siteOf(seed: string, tasks: number) {
  const rows = sentOnce(rollouts(tasks, 8, seed));
  const site = await openSite({ address: broker.address, worker, seed, maxCallMs: 300, transactional: true });
  close = site.close;
  await feed(site.bus, site.prefix, rows);
  const judged = (part: number) =>
    site.settled(async () => {
      const written = await site.watch.written(site.topic('verdicts'));
      const { moving } = await site.crew.figures();
      return { isDone: written >= rows.length * part && moving > 0, state: `${written} ${moving}` };
    });
  const onceEach = async () => {
    const verdicts = await committedIds(site.bus, site.topic('verdicts'));
    expect(verdicts).toEqual(rows.map(({ rollout_id }) => rollout_id).sort());
    for (const kind of ['groups', 'selected', 'markers']) {
      const ids = await committedIds(site.bus, site.topic(kind));
      expect([kind, ids.length]).toEqual([kind, new Set(ids).size]);
    }
    expect((await site.final()).sort()).toEqual([...(await undisturbed(rows, seed)).selected].sort());
  };
  return { ...site, rows, judged, onceEach };
}

it(
  'every topic holds each row once for readers of committed records, although workers are killed',
  async () => {
    const { crew, told, judged, drained, behind, onceEach } = await siteOf('txn-kill', 100);
    crew.start(2, told);
    for (const part of [0.2, 0.4, 0.6]) {
      expect(await judged(part)).toBe(true);
      await crew.hit(part, 'SIGKILL');
    }
    expect({ drained: await drained(), behind: await behind() }).toEqual({ drained: true, behind: [] });
    await onceEach();
  },
  longMs,
);

it(
  'a worker that slept past its session cannot commit what another has made meanwhile',
  async () => {
    const { crew, told, judged, drained, behind, onceEach, bus, topic } = await siteOf('txn-zombie', 100);
    crew.start(2, told);
    expect(await judged(0.2)).toBe(true);
    await crew.hit(0, 'SIGSTOP');
    const before = (await committedIds(bus, topic('verdicts'))).length;
    await expect
      .poll(async () => (await committedIds(bus, topic('verdicts'))).length, { timeout: longMs, interval: 1000 })
      .toBeGreaterThan(before + 150); // its partitions have another owner by now
    crew.wake();
    expect({ drained: await drained(), behind: await behind() }).toEqual({ drained: true, behind: [] });
    await onceEach();
  },
  longMs,
);

it(
  'a group that has nothing left to read but the marks of a transaction comes to the end of its topic',
  async () => {
    const site = await openSite({ address: broker.address, worker, seed: 'txn-marks', transactional: true });
    close = site.close;
    const topic = site.topic('verdicts');
    const producer = site.bus.transactionalProducer('txn-marks');
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ partition: 3, value: 'done, and its mark is not' }] });
    await transaction.commit();
    await producer.disconnect();
    const admin = site.bus.admin();
    await admin.connect();
    await admin.setOffsets({ groupId: `${site.prefix}.group`, topic, partitions: [{ partition: 3, offset: '1' }] });
    await admin.disconnect();
    site.crew.start(1, { ...site.told });
    const drained = await site.settled(async () => ({ isDone: (await site.lags(['group']))[0] === 0, state: '' }));
    expect([drained, await site.watch.written(topic)]).toEqual([true, 2]);
  },
  longMs,
);
