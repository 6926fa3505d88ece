import { from, lastValueFrom } from 'rxjs';
import type { Clock } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { untracked } from '../../core/receipt.ts';
import { type Sink, toSink } from '../../core/to-sink.ts';
import { schemaMajor, topicName } from '../../pipelines/topics.ts';
import type { MonitorAnswer, MonitorSummary } from '../../reports/monitor/hack-monitor.ts';
import { evaluationMetrics } from '../../reports/monitor/run-point.ts';
import { alarmId } from '../../rows/alarm.ts';
import { type HistoryEntry, historyId } from '../../rows/history-entry.ts';
import { kafkaSink } from '../../sinks/kafka.ts';
import type { KafkaBus } from '../../sources/kafka-bus.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import type { LiveBoard } from '../live-board.ts';
import { showRun } from '../runs/run-routes.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { MonitorStore } from './monitor-store.ts';
import type { Webhook } from './webhook.ts';

interface Ends {
  readonly live: LiveBoard;
  readonly runs: RunStore;
  readonly clock: Clock;
  readonly hook?: Webhook | undefined;
  readonly topics?: Pick<Sink<MonitorAnswer>, 'write'> | undefined;
  readonly say: (line: string) => void;
}

/**
 * Tell what a monitor answered: to the page, to the run of that name with its curves and its summary, to the webhook, to the
 * topics. What cannot be told is said, and never keeps a trainer waiting.
 */
export function tellAnswers({ live, runs, clock, hook, topics, say }: Ends) {
  return (run: string, answers: readonly MonitorAnswer[], summary: MonitorSummary): void => {
    for (const answer of answers)
      if (answer.type === 'history') live.history(answer);
      else {
        live.alarm(answer);
        hook?.send(answer);
      }
    const [entry] = answers;
    try {
      const id = runs.find(run)?.runId;
      if (entry?.type === 'history' && id !== undefined) {
        const point = { step: entry.step, ts: clock() / 1000, ...evaluationMetrics(entry, answers) };
        runs.log(id, { points: [point] });
        const record = runs.note(id, { hack_monitor: summary as unknown as JsonObject });
        if (record) showRun(record, live);
      }
    } catch (error) {
      say(`The evaluation of ${run} is not on its curves: ${String(error)}`); // a full or busy disk
    }
    if (topics)
      void stored(topics, answers).catch((error: unknown) =>
        say(`Alarms of ${run} are not on their topic: ${String(error)}`),
      );
  };
}

/** Brokers that are away for a moment are tried again. */
async function stored(topics: Pick<Sink<MonitorAnswer>, 'write'>, answers: readonly MonitorAnswer[]): Promise<void> {
  const items = from(answers.map((row) => ({ row, receipt: untracked })));
  const once = { write: (rows: readonly MonitorAnswer[]) => topics.write(rows), close: async () => {} };
  await lastValueFrom(items.pipe(toSink<MonitorAnswer>(once)), { defaultValue: undefined });
}

/** Show what monitors knew when the server ended. */
export function showMonitors(store: MonitorStore, live: LiveBoard): void {
  for (const run of store.runs())
    for (const event of store.replay(run))
      if (event.type === 'history') live.history(event as HistoryEntry);
      else if (event.type === 'alarm') live.alarm(event);
}

/**
 * Write evaluations and alarms to the topics `history` and `alarms`, keyed by their run.
 *
 * @throws TM_SOURCE - the topics cannot be made
 */
export async function answerTopics(bus: KafkaBus, prefix: string, partitions = 12): Promise<Sink<MonitorAnswer>> {
  await ensureTopics(
    ['history', 'alarms'].map((kind) => ({ name: topicName(prefix, kind), partitions })),
    bus,
  );
  const sinkOf = (kind: string) =>
    kafkaSink<MonitorAnswer>(
      { topic: topicName(prefix, kind) },
      {
        producer: bus.producer,
        key: ({ run_id }) => run_id,
        id: (one) => (one.type === 'alarm' ? alarmId(one) : historyId(one)),
        stage: 'hack-monitor',
        schema: `${kind}/${schemaMajor}`,
      },
    );
  const [history, alarms] = [sinkOf('history'), sinkOf('alarms')];
  const store = async (answers: readonly MonitorAnswer[]): Promise<void> => {
    const entries = answers.filter(({ type }) => type === 'history');
    const raised = answers.filter(({ type }) => type === 'alarm');
    if (entries.length > 0) await history.write(entries);
    if (raised.length > 0) await alarms.write(raised);
  };
  let last: Promise<void> = Promise.resolve(); // one batch after the other: in order, and none is cut off by `close`
  return {
    write(answers) {
      const mine = last.then(() => store(answers));
      last = mine.catch(() => {}); // told to who wrote it
      return mine;
    },
    async close() {
      await last;
      await Promise.all([history.close(), alarms.close()]);
    },
  };
}
