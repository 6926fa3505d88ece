import { TracemillError } from '../core/errors.ts';
import { jsonIn, stringifyJson } from '../core/json.ts';
import { sideTopics, topicName } from '../pipelines/topics.ts';
import { alarmSchema } from '../rows/alarm.ts';
import { historyFiguresSchema } from '../rows/history-entry.ts';
import { rowSchema } from '../rows/row.ts';
import { type RunRecord, runRecordSchema } from '../rows/run-record.ts';
import { workerFiguresSchema } from '../rows/worker-figures.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { patiently } from '../sources/kafka-patience.ts';
import { ensureTopics } from '../sources/kafka-topics.ts';
import type { LiveBoard } from './live-board.ts';
import type { RunHead } from './live-events.ts';

interface Following {
  readonly bus: Pick<KafkaBus, 'consumer' | 'admin'>;
  /** What the topics of the pipelines begin with. */
  readonly prefixes: readonly string[];
  readonly live: LiveBoard;
  /** Partitions of topics that are not there yet. */
  readonly partitions?: number;
}

/** Kinds whose records are rows with a verdict. */
const rowKinds = ['graded', 'graded_traces'];
/** Kinds that are read from their beginning, as what they tell stays true. Figures of workers are of the moment. */
const lasting = [...rowKinds, 'history', 'alarms', 'runs'];
const momentary = ['metrics'];

type See = (value: unknown, live: LiveBoard) => boolean;

const seeRow: See = (value, live) => {
  const row = rowSchema.safeParse(value);
  if (row.success) live.row(row.data);
  return row.success;
};
const kinds: Readonly<Record<string, See>> = {
  ...Object.fromEntries(rowKinds.map((kind) => [kind, seeRow])),
  metrics(value, live) {
    const said = workerFiguresSchema.safeParse(value);
    if (!said.success) return false;
    const { worker, at, state, operators } = said.data;
    // a worker that ended in order has nothing in its hands, and what waits for it waits for others
    const rest = operators.map(({ gauges: _, ...counts }) => ({ ...counts, in_flight: 0 }));
    live.figures(worker, Date.parse(at), state === 'stopped' ? rest : operators, state === 'stopped');
    return true;
  },
  history(value, live) {
    const entry = historyFiguresSchema.safeParse(value);
    if (entry.success) live.history(entry.data);
    return entry.success;
  },
  runs(value, live) {
    const run = runRecordSchema.safeParse(value);
    if (run.success) live.run(pipelineRun(run.data));
    return run.success;
  },
  alarms(value, live) {
    const alarm = alarmSchema.safeParse(value);
    if (alarm.success) live.alarm(alarm.data);
    return alarm.success;
  },
};

const timeOf = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`;
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isWords = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isWords ? value.join(', ') : stringifyJson(value);
}

/** A run of a pipeline in one line, with what it was made with. Its settings never hold answer keys or passwords. */
function pipelineRun({
  run_id,
  pipeline,
  prefix,
  state,
  reason,
  started_at,
  ended_at,
  settings,
  tools,
}: RunRecord): RunHead {
  const said = Object.entries(settings)
    .filter(([name, value]) => name !== 'pipeline' && value !== null && value !== undefined)
    .map(([name, value]) => [name, wordsOf(value)]);
  const facts = [
    ['topics', `${prefix}.*`],
    ['started', timeOf(started_at)],
    ['ended', ended_at && timeOf(ended_at)],
    ['why', reason],
    ['tools', tools && String(tools.length)],
    ...said,
  ].filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== '');
  return {
    run_id,
    name: `${pipeline} (${prefix})`,
    status: state,
    ...{ verdict: null, step: null, total_steps: null, latest: {} },
    facts: Object.fromEntries(facts.slice(0, 40).map(([name, value]) => [name.slice(0, 80), value.slice(0, 400)])),
    at_ms: Date.parse(ended_at ?? started_at),
  };
}

/**
 * Show what other processes do, by the topics they write: rows with verdicts, figures of workers, runs, evaluations and
 * alarms of monitors. It commits nothing and takes no work from anybody. Records that cannot be read are counted and passed over.
 *
 * @throws TM_SOURCE - the topics cannot be read
 */
export async function followTopics({ bus, prefixes, live, partitions = 12 }: Following) {
  const named = new Map(
    prefixes.flatMap((prefix) => [...lasting, ...momentary].map((kind) => [topicName(prefix, kind), kind] as const)),
  );
  const topicsOf = (wanted: readonly string[]) =>
    [...named].filter(([, kind]) => wanted.includes(kind)).map(([name]) => name);
  const side = prefixes.flatMap((prefix) => sideTopics(prefix, partitions));
  await ensureTopics(
    [...named.keys()].map((name) => side.find((topic) => topic.name === name) ?? { name, partitions }),
    bus,
  );
  const consumer = bus.consumer();
  let unreadable = 0;
  // the client gives up for good where it does not restart by itself: nothing new would be shown, and nobody told
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (!restart)
      live.fault('follow-topics', `the topics of ${prefixes.join(', ')} are not followed any more: ${error.message}`);
  });
  try {
    await consumer.connect();
    // a broker may not know yet of topics that were made a moment ago
    await patiently(() => consumer.subscribe({ topics: topicsOf(lasting), fromBeginning: true }));
    await patiently(() => consumer.subscribe({ topics: topicsOf(momentary), fromBeginning: false }));
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        const see = kinds[named.get(batch.topic) ?? ''];
        for (const { value } of batch.messages) {
          if (value === null || !see) continue; // what had this key is gone
          if (!see(jsonIn(value.toString('utf8')), live)) unreadable++;
        }
      },
    });
  } catch (cause) {
    throw new TracemillError('TM_SOURCE', `the topics of ${prefixes.join(', ')} cannot be followed`, { cause });
  }
  return { unreadable: () => unreadable, close: () => consumer.disconnect() };
}
