import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { trainingEvals } from '../../bench/monitor-runs.ts';
import { pull } from '../../src/core/source.ts';
import type { Sink } from '../../src/core/to-sink.ts';
import { hackMonitorStages } from '../../src/pipelines/hack-monitor.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { shapeOf } from '../../src/pipelines/pipeline.ts';
import { pipelineNamed } from '../../src/pipelines/registry.ts';
import { topicsOf } from '../../src/pipelines/topics.ts';
import { watchedId, watchRunsCore } from '../../src/pipelines/watch-runs.ts';
import type { Alarm } from '../../src/rows/alarm.ts';
import type { HistoryEntry } from '../../src/rows/history-entry.ts';
import type { MonitorEvent } from '../../src/rows/monitor-event.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

it('gives evaluations and alarms of runs that come mixed, each on its own, through JSON as between processes', async () => {
  const runs = [1, 2].map((seed) => [
    ...trainingEvals(seed, { asks: 32, k: 4, evals: 20, ...(seed === 2 && { hackedFrom: 5 }) }),
  ]);
  const mixed = (runs[0] ?? []).flatMap((event, n) => [event, runs[1]?.[n] as MonitorEvent]);
  const [history, alarms]: [HistoryEntry[], Alarm[]] = [[], []];
  const into = (list: unknown[]): Sink<never> => ({
    write: async (rows) => void list.push(...rows),
    close: async () => {},
  });
  const rejections: unknown[] = [];
  const sinks = { watched: into([]), history: into(history), alarms: into(alarms) };
  const ends = {
    source: pull([...mixed, { type: 'what' } as never]),
    sinks,
    rejected: { write: async (rows: readonly unknown[]) => void rejections.push(...rows), close: async () => {} },
  };
  await lastValueFrom(inMemory(hackMonitorStages({ plannedEvals: 20 }), { ...ends, serialised: true }), {
    defaultValue: undefined,
  });
  expect([history.length, rejections.length]).toEqual([40, 1]);
  expect(new Set(alarms.filter(({ kind }) => kind === 'divergence').map(({ run_id }) => run_id))).toEqual(
    new Set(['run-2']),
  );
});

const hacked = [...trainingEvals(3, { asks: 32, k: 4, evals: 16, hackedFrom: 5 })];
const settings = { plannedEvals: 16, divergenceRule: 'threshold' } as const;
const coreOf = () => watchRunsCore({ ...pipelineNamed('hack-monitor').options.parse(settings) } as never);

it('answers as one process does, however often the work moves to another', () => {
  const one = coreOf();
  const whole = hacked.flatMap((event) => one.decide(event));
  expect(whole.filter(({ type }) => type === 'alarm').length).toBeGreaterThan(3);
  const topic: (typeof whole)[number][] = [];
  const workers = [coreOf(), coreOf()].map((core) => ({ core, read: 0 }));
  for (const [n, event] of hacked.entries()) {
    const worker = workers[n % 3 === 0 ? 0 : 1] as (typeof workers)[number];
    for (; worker.read < topic.length; worker.read++) worker.core.learn(topic[worker.read] as never);
    topic.push(...worker.core.decide(event));
  }
  expect(topic).toEqual(whole);
});

it('answers an evaluation that is stored with nothing, and one that was stored in part with what is missing', () => {
  const first = coreOf();
  const said = hacked.map((event) => first.decide(event));
  const at = said.findIndex((answers) => answers.length > 1);
  const stored = said.slice(0, at).flat();
  const again = (upTo: number) => {
    const core = coreOf();
    for (const answer of [...stored, ...(said[at] ?? []).slice(0, upTo)]) core.learn(answer);
    return core.decide(hacked[at] as MonitorEvent);
  };
  expect(again(99)).toEqual([]);
  expect(again(1)).toEqual(said[at]?.slice(1));
  expect(again(0)).toEqual(said[at]);
});

it('a run that begins under the name of one that is over knows nothing of it, whoever hears of it when', () => {
  const [one, other] = [coreOf(), coreOf()];
  const [event] = hacked as [MonitorEvent];
  const over: MonitorEvent = { type: 'end', run_id: event.run_id };
  const said = [event, over, event].map((each) => one.decide(each));
  expect(said.map((answers) => answers.map(({ type }) => type))).toEqual([['history'], ['end'], ['history']]);
  for (const answer of said.flat()) {
    one.learn(answer); // its own words come back when it has gone on
    other.learn(answer);
  }
  expect([one.decide(event), other.decide(event)]).toEqual([[], []]);
  expect(one.decide(hacked[1] as MonitorEvent)).toEqual(other.decide(hacked[1] as MonitorEvent));
});

it('over topics a monitor that is started again goes on where it was, by the ids of the server', async () => {
  const { bus, rows, isDone } = memoryBroker();
  const { stages, input } = shapeOf(pipelineNamed('hack-monitor'));
  await ensureTopics(topicsOf(stages, 'w', 2), bus);
  const opened = () => pipelineNamed('hackMonitor').open(settings).stages;
  for (const half of [hacked.slice(0, 8), hacked.slice(8)]) {
    await lastValueFrom(
      intoKafka<never>({ bus, prefix: 'w', kind: 'scored', source: pull(half as never[]), ...input }),
      {
        defaultValue: undefined,
      },
    );
    const stop = new AbortController();
    const running = lastValueFrom(onKafka(opened(), { bus, prefix: 'w', stop: stop.signal }), {
      defaultValue: undefined,
    });
    for (const [group, topic] of [
      ['w.watch', 'w.scored.v1'],
      ['w.view.history', 'w.watched.v1'],
      ['w.view.alarms', 'w.watched.v1'],
    ] as const)
      while (!isDone(group, topic)) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await running;
  }
  const alone = coreOf();
  const whole = hacked.flatMap((event) => alone.decide(event));
  const [entries, raised] = ['history', 'alarm'].map((kind) => whole.filter(({ type }) => type === kind));
  expect(rows('w.history.v1')).toEqual(entries);
  expect(rows('w.alarms.v1')).toEqual(raised);
  expect(watchedId(raised?.[0] as never)).toMatch(/^run-3#\w+#\d+/);
});
