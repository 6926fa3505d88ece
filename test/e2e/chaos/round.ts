import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../../../src/pipelines/parts.ts';
import { replayLetters } from '../../../src/pipelines/replay-letters.ts';
import { topicName, topicsOf } from '../../../src/pipelines/topics.ts';
import { kafkaBus } from '../../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../../src/sources/kafka-topics.ts';
import type { Broker } from '../broker.ts';
import { readSet, sizeOfSet } from '../final-set.ts';
import { rollouts, scene } from '../scene.ts';
import { rowsById } from '../topic-reader.ts';
import type { WorkerOptions } from '../worker-options.ts';
import { createCrew } from './crew.ts';
import { differences, undisturbed } from './expected.ts';
import { createInjector } from './injector.ts';
import { createWatch } from './lags.ts';
import { readLetters } from './letters.ts';
import { planOf } from './plan.ts';
import { feed, keepBack, letterOf } from './poison.ts';
import { settle } from './settle.ts';

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
}

const partitions = 6;
const chunks = 12; // rows are fed as they are judged, three chunks ahead

/** Disturb a pipeline of several processes while rollouts flow, mend it, and compare with the same stages in memory. */
export async function chaosRound({ address, own, seed, tasks, k, maxCallMs, worker, breakage }: Round) {
  const start = performance.now();
  const prefix = `chaos-${seed}-${Date.now()}`;
  const topic = (kind: string) => topicName(prefix, kind);
  const bus = kafkaBus({ brokers: [address], clientId: 'chaos' });
  const parts = partsOf(scene({ ask: async () => 1 }), { selected: { write: async () => {}, close: async () => {} } });
  const plan = planOf(seed, own !== undefined);
  const { poison, good } = keepBack(rollouts(tasks, k, seed), plan);
  const [early, late] = [await undisturbed(good, seed), await undisturbed([...good, ...poison], seed)];
  const folder = await mkdtemp(join(tmpdir(), 'final-set-'));
  const told: WorkerOptions = {
    ...{ broker: address, prefix, seed, maxCallMs, folder, breakage },
    ...{ hangRate: 0.0015, cutMs: 1500, maxInFlight: 32, isMended: false },
  };
  await ensureTopics(topicsOf(scene({ ask: async () => 1 }), prefix, partitions), bus);

  const watch = createWatch(bus);
  const lags = (names: readonly string[]) =>
    Promise.all(
      parts
        .filter(({ name }) => names.includes(name))
        .map(({ name, stage }) => watch.lag(`${prefix}.${name}`, topic(stage.from))),
    );
  const all = parts.map(({ name }) => name);
  const crew = createCrew(worker, { onHang: (moving) => injector.note('hang', moving) });
  const injector = createInjector({ bus, prefix, crew, own, poison });
  const quiet = async () =>
    (await crew.figures()).moving === 0 && (await watch.isStable(all.map((name) => `${prefix}.${name}`)));
  try {
    crew.start(plan.workers, told);
    const faults = [...plan.faults];
    let fed = 0;
    const feedAndDisturb = async () => {
      const judged = await watch.written(topic('verdicts'));
      while (fed < chunks && judged / good.length >= (fed - 3) / chunks) {
        await feed(bus, prefix, good.slice((good.length * fed) / chunks, (good.length * (fed + 1)) / chunks));
        fed++;
      }
      // a fault is for a pipeline that works: while a group waits for its members, it waits too
      if (faults[0] && judged / good.length >= faults[0].at && (await crew.figures()).moving > 0)
        await injector.inject(faults.shift());
      return { isDone: fed === chunks && faults.length === 0, state: `${judged} ${fed} ${faults.length}` };
    };
    const stages = [
      { what: 'faults', probe: feedAndDisturb },
      {
        what: 'everything but the poison',
        probe: async () => {
          const lag = await lags(all.filter((name) => name !== 'group'));
          const [groups, selected] = [await watch.written(topic('groups')), await sizeOfSet(folder)];
          const isDone =
            groups >= early.groups.length && selected >= early.selected.length && lag.every((n) => n === 0);
          return { isDone, state: `${lag} ${groups} ${selected} ${await lags(['group'])}` };
        },
      },
    ];
    let stuck = '';
    for (const { what, probe } of stages) if (stuck === '' && !(await settle(probe, quiet))) stuck = what;
    const before = differences(early.selected, await readSet(folder));
    let replayed = 0;
    if (stuck === '') {
      await crew.roll({ ...told, isMended: true });
      const sent = await replayLetters({ bus, topic: topic('rollouts'), reasons: ['error', 'invalid_row'] });
      replayed = sent.replayed;
      const probe = async () => {
        const lag = await lags(all);
        return { isDone: lag.every((n) => n === 0), state: String(lag) };
      };
      if (!(await settle(probe, quiet))) stuck = 'the mended rows';
    }
    const { parked } = stuck === '' ? { parked: 0 } : await crew.figures();
    await crew.stop();

    const letters = await readLetters(bus, prefix);
    const [verdicts, groups, selected, markers] = await Promise.all(
      ['verdicts', 'groups', 'selected', 'markers'].map((kind) => rowsById(bus, topic(kind))),
    );
    const found = {
      before,
      after: differences(stuck === '' ? late.selected : early.selected, await readSet(folder)),
      groups: differences(stuck === '' ? late.groups : early.groups, groups?.texts ?? []),
      markers: differences(stuck === '' ? late.markers : early.markers, markers?.texts ?? []),
      letters: differences([...injector.garbageLetters, ...poison.map(letterOf)], letters.poison),
      turned_away: differences(stuck === '' ? late.turnedAway : early.turnedAway, letters.turnedAway),
    };
    const sum = (which: 'missing' | 'beyond') => Object.values(found).reduce((n, one) => n + one[which].length, 0);
    const twice = { verdicts, groups, selected, markers };
    return {
      seed,
      seconds: Math.round((performance.now() - start) / 100) / 10,
      rows: good.length + poison.length,
      workers: { first: plan.workers, last: crew.mostMembers() },
      faults: injector.faults,
      repeated: Object.fromEntries(Object.entries(twice).map(([kind, topic]) => [kind, topic?.repeated ?? 0])),
      letters: {
        poison: letters.poison.length,
        replayed,
        turned_away: letters.turnedAway.length,
        duplicates: letters.duplicates,
      },
      selected: { expected: late.selected.length, before: early.selected.length },
      counts: crew.counts,
      crashes: crew.crashes,
      stuck,
      lost: sum('missing'),
      doubled: sum('beyond') + parked,
      differences: Object.fromEntries(
        Object.entries(found)
          .filter(([, { missing, beyond }]) => missing.length + beyond.length > 0)
          .map(([name, { missing, beyond }]) => [name, { missing: missing.slice(0, 5), beyond: beyond.slice(0, 5) }]),
      ),
    };
  } finally {
    await crew.stop();
    await watch.close();
    await rm(folder, { recursive: true, force: true });
  }
}
