import { join } from 'node:path';
import type { Hono } from 'hono';
import { type Clock, systemClock } from '../core/clock.ts';
import { createCounters } from '../core/counters.ts';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { makeFolder } from '../core/make-folder.ts';
import type { Sink } from '../core/to-sink.ts';
import type { Graded } from '../judges/apply-verdict.ts';
import type { Judge } from '../judges/judge.ts';
import { type RealtimeJudgeOptions, realtimeJudge } from '../pipelines/realtime-judge.ts';
import { withoutAnswers } from '../rows/gold-columns.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { createApp } from './app.ts';
import { followTopics } from './follow-topics.ts';
import { boardSink, gradedTopics } from './judge/graded-sink.ts';
import { judgeRoutes } from './judge/judge-routes.ts';
import { createLiveBoard, type LiveBoard } from './live-board.ts';
import { followScored } from './monitor/follow-scored.ts';
import { monitorRoutes } from './monitor/monitor-routes.ts';
import { monitorService } from './monitor/monitor-service.ts';
import { openMonitorStore } from './monitor/monitor-store.ts';
import { answerTopics, showMonitors, tellAnswers } from './monitor/tell-answers.ts';
import { webhook } from './monitor/webhook.ts';
import { pageRoutes } from './page/index.ts';
import { jsonReader } from './read-json.ts';
import { keepComparison, runRoutes, showRun } from './runs/run-routes.ts';
import { openRunStore } from './runs/run-store.ts';

/** What a server is opened with. */
export interface ServerSettings {
  /** Folder of what it keeps: runs.db and monitors.db. */
  readonly data: string;
  readonly token: string;
  readonly allowedHosts?: readonly string[];
  readonly stallMs?: number;
  /** Who answers `POST /v1/judge`. */
  readonly judge?: Judge | undefined;
  readonly judging?: RealtimeJudgeOptions;
  /** Sends verdicts somewhere else besides, as spans. */
  readonly alsoTo?: (verdicts: Sink<Graded>) => Sink<Graded>;
  /** Reports of `compare --json` to be shown, by what they are called. */
  readonly compared?: readonly { readonly name: string; readonly report: JsonObject }[];
  /** Where alarms are posted. */
  readonly hook?: { readonly url: string; readonly secret: string; readonly allowPrivate: boolean } | undefined;
  /** What other processes do is shown, and verdicts and alarms are written, by these brokers. */
  readonly bus?: KafkaBus | undefined;
  /** What the topics begin with; the first one takes what this server writes. */
  readonly prefixes?: readonly string[];
  readonly partitions?: number | undefined;
  readonly clock?: Clock;
  readonly say?: (line: string) => void;
}

/** A server without a socket. */
export interface OpenServer {
  readonly app: Hono;
  readonly live: LiveBoard;
  /** Take no more work: rows that wait for the judge are answered that it stops. Call it before the socket is closed. */
  stop(): void;
  /** Stop, finish what is begun, write what is not written, close what is open: each for some seconds at most. */
  close(): Promise<void>;
}

const tickMs = 500;
const maxIdleMs = 10_000; // alarms that a webhook does not take by then are given up

/**
 * Open the whole server: page, events, health, metrics, runs, monitors, and the judge where one is given.
 *
 * @throws TM_OPTIONS - the webhook or the judge's options are wrong
 * @throws TM_SINK, TM_SOURCE - the folder or the brokers cannot be used
 */
export async function openServer({
  data,
  token,
  allowedHosts = [],
  stallMs = 60_000,
  judge,
  judging = {},
  alsoTo = (sink) => sink,
  compared = [],
  hook: hookOptions,
  bus,
  prefixes = [],
  partitions = 12,
  clock = systemClock,
  say = () => {},
}: ServerSettings): Promise<OpenServer> {
  const hook = hookOptions && webhook(hookOptions, { clock, say });
  const live = createLiveBoard({ clock, stallMs });
  const counters = createCounters();
  const read = jsonReader();
  const [first = ''] = prefixes;
  await makeFolder(data).catch((cause: unknown) => {
    throw new TracemillError('TM_SINK', `the folder ${data} cannot be made`, { cause });
  });
  const closers: (() => unknown)[] = []; // what was opened last is closed first
  try {
    const runs = openRunStore(join(data, 'runs.db'), clock);
    closers.push(() => runs.close());
    const store = openMonitorStore(join(data, 'monitors.db'));
    closers.push(() => store.close());
    for (const { name, report } of compared) keepComparison(runs, name, report);
    for (const run of [...runs.list(200)].reverse()) showRun(run, live);
    showMonitors(store, live);
    closers.push(() => hook?.idle(maxIdleMs));
    const followed = bus && (await followTopics({ bus, prefixes, live, partitions }));
    closers.push(() => followed?.close());
    const topics = bus && (await answerTopics(bus, first, partitions));
    closers.push(() => topics?.close());
    const { hooks } = counters;
    const monitors = monitorService({ store, tell: tellAnswers({ live, runs, clock, hook, topics, say }) });
    const scored = bus && (await followScored({ bus, prefix: first, monitors, partitions, hooks }));
    scored?.ended.catch((error: unknown) => {
      live.fault('scored', `training runs are not followed any more: ${String(error)}`);
      say(`Training runs are not followed any more: ${String(error)}`);
    });
    closers.push(() => scored?.close());
    const verdicts = judge && (bus ? await gradedTopics(bus, first, partitions) : boardSink(live));
    const service =
      judge && verdicts && realtimeJudge(judging, { judge, verdicts: alsoTo(verdicts), hooks, shown: withoutAnswers });
    closers.push(() => service?.close(maxIdleMs));
    const parts = [
      pageRoutes(),
      runRoutes({ store: runs, read, live }),
      monitorRoutes({ monitors, read, judge: service }),
      ...(service ? [judgeRoutes({ judge: service, read })] : []),
    ];
    const figures = () => ({
      ...(hook && { webhook_sent: hook.counts().sent, webhook_given_up: hook.counts().given_up }),
      ...(followed && { unreadable_records: followed.unreadable() }),
    });
    const ticking = setInterval(() => {
      live.figures('server', clock(), counters.snapshot());
      if (service?.isBroken()) live.fault('verdicts', 'verdicts cannot be written any more');
      live.tick();
    }, tickMs);
    ticking.unref();
    closers.push(() => clearInterval(ticking));
    return {
      app: createApp({ live, token, allowedHosts, clock, say, parts, figures }),
      live,
      stop: () => service?.stop(),
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers).catch(() => {}); // what went wrong first is said
    throw error;
  }
}

/** Close one after the other, also behind one that fails. @throws what failed first */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let close = closers.pop(); close; close = closers.pop())
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
