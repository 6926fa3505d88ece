import { replayLetters } from '../../../src/pipelines/replay-letters.ts';
import type { Broker } from '../broker.ts';
import { sizeOfSet } from '../final-set.ts';
import { rollouts, sentOnce } from '../scene.ts';
import type { WorkerOptions } from '../worker-options.ts';
import { differences, type Expected, undisturbed } from './expected.ts';
import { createInjector, type Injector } from './injector.ts';
import { readLetters } from './letters.ts';
import { type Plan, planOf } from './plan.ts';
import { feed, keepBack, letterOf } from './poison.ts';
import { openSite, partNames } from './site.ts';

export interface Round {
  readonly address: string;
  /** A broker that may be killed. */
  readonly own?: Broker | undefined;
  /** Decides rows, verdicts, the time of each call, and what is done when. */
  readonly seed: string;
  readonly tasks: number;
  readonly k: number;
  readonly maxCallMs: number;
  /** File of the worker. */
  readonly worker: string;
  readonly breakage?: WorkerOptions['breakage'];
  /** Workers store rows and offsets in transactions: then topics must hold each row once. */
  readonly transactional?: boolean;
}
type OpenSite = Awaited<ReturnType<typeof openSite>>;
type Rows = ReturnType<typeof keepBack>;

const chunks = 12; // rows are fed as they are judged, three chunks ahead

/** Disturb a pipeline of several processes while rollouts flow, mend it, and compare with the same stages in memory. */
export async function chaosRound({ address, own, seed, tasks, k, maxCallMs, worker, breakage, transactional }: Round) {
  const start = performance.now();
  const reached: Record<string, number> = {};
  const note = (what: string): void => {
    reached[what] = Math.round((performance.now() - start) / 100) / 10;
  };
  const plan = planOf(seed, own !== undefined);
  const all = rollouts(tasks, k, seed);
  const rows = keepBack(transactional ? sentOnce(all) : all, plan);
  const [early, late] = [await undisturbed(rows.good, seed), await undisturbed([...rows.good, ...rows.poison], seed)];
  const onHang = (moving: number): void => injector.note('hang', moving);
  const site = await openSite({
    address,
    worker,
    seed,
    maxCallMs,
    breakage,
    hangRate: 0.0015,
    onHang,
    ...(transactional && { transactional }),
  });
  const injector = createInjector({ ...site, own, poison: rows.poison });
  try {
    note('start');
    site.crew.start(plan.workers, site.told);
    let stuck = '';
    let behind: readonly string[] = [];
    const step = async (what: string, work: () => Promise<boolean>): Promise<void> => {
      if (stuck === '' && !(await work())) {
        stuck = what;
        behind = await site.behind();
      }
      note(what);
    };
    await step('faults', () => disturb(site, injector, plan, rows));
    await step('all but poison', () => allButPoison(site, early));
    const before = await site.final();
    let replayed = 0;
    await step('replay', async () => {
      await site.crew.roll({ ...site.told, isMended: true });
      const topic = site.topic('rollouts');
      replayed = (await replayLetters({ bus: site.bus, topic, reasons: ['error', 'invalid_row'] })).replayed;
      return true;
    });
    await step('all', site.drained);
    const left = stuck === '' ? 0 : (await site.crew.figures()).parked; // rows of groups that are whole already
    await site.crew.stop();
    const poison = [...injector.garbageLetters, ...rows.poison.map(letterOf)];
    const compared = await compare(site, { early, late: stuck === '' ? late : early, before, poison });
    note('compared');
    const { crashes, counts, mostMembers } = site.crew;
    const facts = { seed, seconds: reached['compared'], reached, rows: rows.good.length + rows.poison.length };
    const workers = [plan.workers, mostMembers()];
    const { lost, doubled, ...rest } = compared;
    const { letters: _putBack, ...named } = rest.twice_on_topics; // a replay puts those of other reasons behind the others
    const twice = transactional ? Object.values(named).reduce((sum, n) => sum + n, 0) : 0;
    return {
      ...facts,
      workers,
      faults: injector.faults,
      replayed,
      ...rest,
      counts,
      crashes,
      stuck,
      behind,
      lost,
      doubled: doubled + left + twice,
    };
  } finally {
    await site.close();
  }
}

/** Feed the rows as they are judged, and do each fault when its time has come. */
async function disturb(site: OpenSite, injector: Injector, plan: Plan, { good }: Rows): Promise<boolean> {
  const { watch, bus, prefix, topic, lags, settled } = site;
  const faults = [...plan.faults];
  let fed = 0;
  return settled(async () => {
    const judged = await watch.written(topic('verdicts'));
    const part = judged / good.length;
    for (; fed < chunks && part >= (fed - 3) / chunks; fed++)
      await feed(bus, prefix, good.slice((good.length * fed) / chunks, (good.length * (fed + 1)) / chunks));
    if (faults[0] && part >= faults[0].at) {
      const isLate = fed === chunks && (await lags(['judge'])).every((n) => n === 0);
      if (await injector.inject(faults[0], isLate)) faults.shift();
    }
    return { isDone: fed === chunks && faults.length === 0, state: `${judged} ${fed} ${faults.length}` };
  });
}

/** Wait until all is stored that can be: tasks with a rollout among the dead letters are not. */
async function allButPoison({ watch, topic, folder, lags, settled }: OpenSite, early: Expected): Promise<boolean> {
  const others = partNames.filter((name) => name !== 'group');
  return settled(async () => {
    const lag = await lags(others);
    const [groups, selected] = [await watch.written(topic('groups')), await sizeOfSet(folder)];
    const isThere = groups >= early.groups.length && selected >= early.selected.length;
    return {
      isDone: isThere && lag.every((n) => n === 0),
      state: `${lag} ${groups} ${selected} ${await lags(['group'])}`,
    };
  });
}

interface Wanted {
  readonly early: Expected;
  readonly late: Expected;
  /** The final set before anything was mended. */
  readonly before: readonly string[];
  readonly poison: readonly string[];
}

/** What is missing, what is there beyond what must be, and what lies on topics more than once. */
async function compare(site: OpenSite, { early, late, before, poison }: Wanted) {
  const letters = await readLetters(site.bus, site.prefix);
  const [verdicts, groups, selected, markers] = [
    await site.rows('verdicts'),
    await site.rows('groups'),
    await site.rows('selected'),
    await site.rows('markers'),
  ];
  const found = {
    before: differences(early.selected, before),
    after: differences(late.selected, await site.final()),
    groups: differences(late.groups, groups.texts),
    markers: differences(late.markers, markers.texts),
    letters: differences(poison, letters.poison),
    turned_away: differences(late.turnedAway, letters.turnedAway),
  };
  const sum = (which: 'missing' | 'beyond') => Object.values(found).reduce((n, one) => n + one[which].length, 0);
  const wrong = Object.entries(found).filter(([, { missing, beyond }]) => missing.length + beyond.length > 0);
  const few = wrong.map(([name, all]) => [name, { missing: all.missing.slice(0, 5), beyond: all.beyond.slice(0, 5) }]);
  return {
    selected: [before.length, late.selected.length],
    twice_on_topics: {
      verdicts: verdicts.repeated,
      groups: groups.repeated,
      selected: selected.repeated,
      markers: markers.repeated,
      letters: letters.repeated,
    },
    letters: { poison: letters.poison.length, turned_away: letters.turnedAway.length, duplicates: letters.duplicates },
    differences: Object.fromEntries(few),
    lost: sum('missing'),
    doubled: sum('beyond'),
  };
}
