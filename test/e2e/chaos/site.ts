import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../../../src/pipelines/parts.ts';
import { topicName, topicsOf } from '../../../src/pipelines/topics.ts';
import { kafkaBus } from '../../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../../src/sources/kafka-topics.ts';
import { readSet } from '../final-set.ts';
import { scene } from '../scene.ts';
import { rowsById } from '../topic-reader.ts';
import type { WorkerOptions } from '../worker-options.ts';
import { createCrew } from './crew.ts';
import { createWatch } from './lags.ts';
import { type Probed, settle, stillInTransactionsMs, stillMs } from './settle.ts';

export interface Site extends Partial<Omit<WorkerOptions, 'broker' | 'prefix' | 'folder'>> {
  readonly address: string;
  readonly seed: string;
  /** File of the worker. */
  readonly worker: string;
  readonly onHang?: (moving: number) => void;
}

const partitions = 6;
const stages = scene({ ask: async () => 1 });
const parts = partsOf(stages, { selected: { write: async () => {}, close: async () => {} } });

/** Names of the parts, each a consumer group. */
export const partNames = parts.map(({ name }) => name);

/** Topics and a final set of their own for one run of the scene, and workers to be started. `close` leaves the topics. */
export async function openSite({ address, seed, worker, onHang = () => {}, ...wishes }: Site) {
  const prefix = `scene-${seed}-${Date.now()}`;
  const topic = (kind: string) => topicName(prefix, kind);
  const bus = kafkaBus({ brokers: [address], clientId: 'chaos' });
  const folder = await mkdtemp(join(tmpdir(), 'final-set-'));
  const quiet = { maxCallMs: 0, hangRate: 0, cutMs: 1500, maxInFlight: 32, isMended: false };
  const told: WorkerOptions = { ...quiet, ...wishes, broker: address, prefix, seed, folder };
  await ensureTopics(topicsOf(stages, prefix, partitions), bus);
  const watch = createWatch(bus);
  const crew = createCrew(worker, { onHang });
  /** Records that each of the parts has not committed. */
  const lags = async (names: readonly string[] = partNames): Promise<number[]> => {
    const chosen = parts.filter(({ name }) => names.includes(name));
    return Promise.all(chosen.map(({ name, stage }) => watch.lag(`${prefix}.${name}`, topic(stage.from))));
  };
  const isQuiet = async () =>
    (await crew.figures()).moving === 0 && (await watch.isStable(partNames.map((name) => `${prefix}.${name}`)));
  /** Wait until it is done. False when nothing moves any more although it is not. */
  const settled = (probe: () => Promise<Probed>): Promise<boolean> =>
    settle(probe, isQuiet, told.transactional ? stillInTransactionsMs : stillMs);
  return {
    ...{ prefix, topic, bus, folder, told, watch, crew, lags, settled },
    /** Wait until all is committed. */
    drained: () =>
      settled(async () => {
        const lag = await lags();
        return { isDone: lag.every((n) => n === 0), state: String(lag) };
      }),
    /** Where each part is behind: what to look at when nothing moves. */
    behind: async () =>
      (await Promise.all(parts.map(({ name, stage }) => watch.behind(`${prefix}.${name}`, topic(stage.from))))).flat(),
    final: () => readSet(folder),
    /** Rows of the topic of a kind. */
    rows: (kind: string) => rowsById(bus, topic(kind)),
    async close(): Promise<void> {
      await crew.stop();
      await watch.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
