import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import { type Broker, startBroker } from './broker.ts';
import { buildWorker } from './build-program.ts';
import { undisturbed } from './chaos/expected.ts';
import { feed } from './chaos/poison.ts';
import { openSite, type Site } from './chaos/site.ts';
import { type Group, type Rollout, rollouts, sentOnce } from './scene.ts';
import { readAll } from './topic-reader.ts';

let broker: Broker;
let worker: string;
let sites: Awaited<ReturnType<typeof openSite>>[] = [];
const longMs = 1_200_000; // for a machine that is busy; what hangs is noticed by `settle`
beforeAll(async () => {
  [broker, worker] = await Promise.all([startBroker(), buildWorker()]);
}, longMs);
afterEach(async () => {
  await Promise.all(sites.map((site) => site.close()));
  sites = [];
}, longMs);
afterAll(() => broker.stop(), longMs);

/** Rows that are not sent twice by whoever makes them. */

async function siteWith(rows: readonly Rollout[], wishes: Omit<Site, 'address' | 'worker'>) {
  const site = await openSite({ address: broker.address, worker, ...wishes });
  sites.push(site);
  await feed(site.bus, site.prefix, rows);
  /** Wait until so many verdicts are written and rows move. */
  const judged = (n: number) =>
    site.settled(async () => {
      const written = await site.watch.written(site.topic('verdicts'));
      const { moving } = await site.crew.figures();
      return { isDone: written >= n && moving > 0, state: `${written} ${moving}` };
    });
  return { ...site, judged };
}

it(
  'does nothing twice when workers are only asked to end',
  async () => {
    const rows = sentOnce(rollouts(100, 8, 'term'));
    const { crew, told, judged, drained, rows: rowsOf, final } = await siteWith(rows, { seed: 'term', maxCallMs: 400 });
    crew.start(2, told);
    for (const part of [0.15, 0.3, 0.45, 0.6]) {
      expect(await judged(rows.length * part)).toBe(true);
      expect((await crew.hit(part, 'SIGTERM')).moving).toBeGreaterThan(0);
    }
    expect(await drained()).toBe(true);
    const twice = await Promise.all(['verdicts', 'groups', 'selected', 'markers'].map(rowsOf));
    expect(twice.map(({ repeated }) => repeated)).toEqual([0, 0, 0, 0]);
    expect((await final()).sort()).toEqual([...(await undisturbed(rows, 'term')).selected].sort());
    expect(crew.crashes).toEqual([]);
  },
  longMs,
);

it(
  'commits no record of a killed worker that is not done, whatever was done after it, and completes every group',
  async () => {
    const rows = rollouts(100, 8, 'kill');
    const site = await siteWith(rows, { seed: 'kill', maxCallMs: 1500 });
    const { crew, told, judged, drained, bus, prefix, topic, watch } = site;
    crew.start(2, told);
    expect(await judged(rows.length * 0.4)).toBe(true);
    const { moving } = await crew.hit(0, 'SIGKILL');
    await crew.hit(0, 'SIGKILL');
    const of = async (kind: string) => {
      const committed = await watch.committed(`${prefix}.${kind === 'rollouts' ? 'judge' : 'group'}`, topic(kind));
      const records = await readAll(bus, topic(kind));
      return records.map(({ partition, offset, headers, value }) => ({
        isCommitted: Number(offset) < (committed.get(partition) ?? 0),
        id: headerText(headers, 'tm-id') ?? '',
        task: (JSON.parse(String(value)) as Rollout).task_id,
      }));
    };
    // the records first: what is committed is written down before
    const [asked, judgedRows] = [await of('rollouts'), await of('verdicts')];
    const verdicts = new Set(
      (await readAll(bus, topic('verdicts'))).map(({ headers }) => headerText(headers, 'tm-id')),
    );
    const groups = new Set((await readAll(bus, topic('groups'))).map(({ headers }) => headerText(headers, 'tm-id')));
    expect(asked.filter(({ isCommitted, id }) => isCommitted && !verdicts.has(id))).toEqual([]);
    expect(asked.some(({ isCommitted, id }) => !isCommitted && verdicts.has(id))).toBe(true); // some were done out of order
    expect(judgedRows.filter(({ isCommitted, task }) => isCommitted && !groups.has(task))).toEqual([]);
    expect(moving).toBeGreaterThan(0);
    expect(await drained()).toBe(true);
    const all = await site.rows('groups');
    expect(all.texts.map((text) => JSON.parse(text) as Group).filter(({ is_complete }) => !is_complete)).toEqual([]);
    expect((await site.final()).sort()).toEqual([...(await undisturbed(rows, 'kill')).selected].sort());
  },
  longMs,
);

it(
  'gives byte for byte the same with one worker, with four, and in memory',
  async () => {
    const rows = rollouts(50, 8, 'same');
    const expected = [...(await undisturbed(rows, 'same')).selected].sort().join('\n');
    expect(expected.length).toBeGreaterThan(10_000);
    for (const workers of [1, 4]) {
      const { crew, told, drained, final } = await siteWith(rows, { seed: 'same', maxCallMs: 20 });
      crew.start(workers, told);
      expect(await drained()).toBe(true);
      expect((await final()).sort().join('\n')).toBe(expected);
    }
  },
  longMs,
);
