import { lastValueFrom } from 'rxjs';
import { skipping } from '../core/skipping.ts';
import type { Source } from '../core/source.ts';
import { stoppable } from '../core/stoppable.ts';
import { untilAborted } from '../core/until-aborted.ts';
import { withAdmin } from '../sources/kafka-admin.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { kafkaIds } from '../sources/kafka-ids.ts';
import { caughtUp } from '../sources/kafka-lag.ts';
import { patiently } from '../sources/kafka-patience.ts';
import { ensureTopics } from '../sources/kafka-topics.ts';
import { hear } from './hear.ts';
import { intoKafka } from './into-kafka.ts';
import { type OnKafka, onKafka } from './on-kafka.ts';
import { type Part, partsOf } from './parts.ts';
import type { OpenPipeline } from './pipeline.ts';
import { topicName, topicsOf } from './topics.ts';

export interface RunOnKafka extends OnKafka {
  readonly stop: AbortSignal;
  /** Partitions of the topics that are not there yet. */
  readonly partitions?: number;
  /** Rejects when whoever runs the other parts is broken. */
  readonly others?: Promise<never> | undefined;
  /** Called once the topics are there. */
  readonly onReady?: () => Promise<void>;
}

const nothing = { defaultValue: undefined };
const forever = () => new Promise<never>(() => {});

/**
 * Run a pipeline over its topics to the end of its source: write the rows of the source that its topic does not have yet,
 * run the parts, and complete when every group of the pipeline, here or in other processes, has stored all that came of
 * them. Without a source it runs until `stop` aborts. What moves is finished either way. A source that decides by what came
 * of its rows has its memory in the topics: started again it hears all they hold, and decides as before.
 *
 * @throws TM_OPTIONS - a stage that needs a whole run, a sink of an unknown kind, an unknown name in `only`
 * @throws TM_SOURCE, TM_SINK - a broker that stays away, a consumer that ended for good; and what `others` rejects with
 */
export async function runOnKafka(
  { stages, source, input, feedback, sinks: own }: OpenPipeline,
  { partitions, others = forever(), onReady, ...run }: RunOnKafka,
): Promise<'done' | 'stopped'> {
  const { bus, prefix, stop } = run;
  const sinks = { ...own, ...run.sinks };
  const done = new AbortController();
  const ending = AbortSignal.any([stop, done.signal]);
  const parts = onKafka(stages, { ...run, sinks, stop: ending });
  await ensureTopics(topicsOf(stages, prefix, partitions), bus);
  await onReady?.();
  const running = lastValueFrom(parts, nothing);
  const fed = async (): Promise<void> => {
    if (!source) return untilAborted(ending);
    const kind = stages[0]?.from ?? '';
    const rest = stoppable(skipping(source, await knownRows(bus, topicName(prefix, kind), input)), ending);
    const hooks = run.hooks && { hooks: run.hooks };
    const heard = feedback && (await hear(feedback, stages, prefix, bus));
    const stored = lastValueFrom(
      intoKafka<never>({ bus, prefix, kind, source: rest as Source<never>, ...input, ...hooks }),
      nothing,
    );
    await Promise.race([stored, heard?.ended ?? forever()]).finally(() => heard?.close());
    await settled(partsOf(stages, sinks), bus, prefix, ending);
  };
  try {
    await Promise.race([fed(), running.then(forever), others]); // only a fault of those that run ends the wait
  } catch (error) {
    done.abort();
    await running.catch(() => {}); // what can be finished is; the first error is told
    throw error;
  }
  done.abort();
  await running;
  return stop.aborted ? 'stopped' : 'done';
}

/** Which rows of the source an earlier, broken run has written. */
async function knownRows(
  bus: KafkaBus,
  topic: string,
  { id }: OpenPipeline['input'],
): Promise<(row: unknown) => boolean> {
  const ends = await withAdmin(bus, (admin) => patiently(() => admin.fetchTopicOffsets(topic)));
  if (ends.every(({ high, low }) => high === low)) return () => false;
  const ids = kafkaIds(topic, { consumer: bus.consumer(), admin: bus.admin() });
  const known = await ids.read();
  await ids.close();
  return (row) => known.has(id(row as never)); // the source gives rows of the kind that `input` places
}

/** Wait for each group in the order of the stages: once those before it have stored all, its topic has its end. */
async function settled(parts: readonly Part[], bus: KafkaBus, prefix: string, stop: AbortSignal): Promise<void> {
  await withAdmin(bus, async (admin) => {
    for (const { name, stage } of inOrder(parts))
      await caughtUp(admin, `${prefix}.${name}`, topicName(prefix, stage.from), stop);
  });
}

function inOrder(parts: readonly Part[]): readonly Part[] {
  const ready = parts.filter(({ stage }) => !parts.some((other) => other.stage.to === stage.from));
  const later = parts.filter((part) => !ready.includes(part));
  return ready.length === 0 ? later : [...ready, ...inOrder(later)]; // stages in a loop were refused
}
