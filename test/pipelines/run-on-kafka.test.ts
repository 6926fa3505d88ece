import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { createCounters } from '../../src/core/counters.ts';
import { TracemillError } from '../../src/core/errors.ts';
import { pull } from '../../src/core/source.ts';
import { evaluatePipeline } from '../../src/pipelines/evaluate.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { type RunOnKafka, runOnKafka } from '../../src/pipelines/run-on-kafka.ts';
import type { Row } from '../../src/rows/row.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const rows: Row[] = Array.from({ length: 60 }, (_, n) => ({
  scenario_id: `s${n % 7}`,
  rollout_id: `r${n}`,
  rollout_index: Math.floor(n / 7),
  prompt: `p${n % 7}`,
  steps: [],
  final_text: `é${n}`,
}));
const judge = async ({ final_text }: Row) => {
  await new Promise((resolve) => setTimeout(resolve, (final_text ?? '').length % 3));
  return (final_text ?? '').length % 2;
};
const opened = (source: readonly Row[] | undefined = rows) => ({
  ...evaluatePipeline.open({ maxConcurrent: 4 }, { judge }),
  source: source && pull(source),
});
const lines = (all: readonly unknown[]) => all.map((row) => JSON.stringify(row)).toSorted();

function scene(more: Partial<RunOnKafka> = {}) {
  const broker = memoryBroker();
  const [graded, verdicts] = [memorySink<never>(), memorySink<never>()];
  const counters = createCounters();
  const run = (source?: readonly Row[]) =>
    runOnKafka(opened(source), {
      bus: broker.bus,
      prefix: 'p',
      partitions: 2,
      stop: new AbortController().signal,
      sinks: { graded, verdicts },
      hooks: counters.hooks,
      ...more,
    });
  return { ...broker, graded, verdicts, counters, run };
}

it('a finite source ends the run when every group has stored all, with the rows that memory gives', async () => {
  const { run, graded, verdicts } = scene();
  expect(await run()).toBe('done');
  const sinks = { graded: memorySink<never>(), verdicts: memorySink<never>() };
  const { stages, source } = opened();
  await lastValueFrom(inMemory(stages, { source: source ?? pull([]), sinks, rejected: rejectedSink() }), {
    defaultValue: undefined,
  });
  expect(graded.rows).toHaveLength(60);
  expect(lines(graded.rows)).toEqual(lines(sinks.graded.rows));
  expect(lines(verdicts.rows)).toEqual(lines(sinks.verdicts.rows));
});

it('a run that is started again feeds only the rows that its topic does not have', async () => {
  const { run, graded, records, counters } = scene();
  await run(rows.slice(0, 25));
  expect(graded.rows).toHaveLength(25);
  await run();
  expect(records('p.rollouts.v1')).toHaveLength(60);
  expect(graded.rows).toHaveLength(60);
  const resumed = counters.snapshot().map(({ counts }) => counts['resumed'] ?? 0);
  expect(resumed.reduce((sum, n) => sum + n, 0)).toBe(25);
});

it('a worker elsewhere that is broken ends the run with its reason', async () => {
  const others = Promise.reject(new TracemillError('TM_SOURCE', 'worker 2 ended: no memory'));
  await expect(scene({ others, only: ['sink.graded'] }).run()).rejects.toThrow('worker 2 ended: no memory');
});

it('a stop ends it in order, whether rows come from a source or from somebody else', async () => {
  const stop = new AbortController();
  const { bus, graded } = scene();
  const whole = runOnKafka(
    { ...opened(), source: undefined },
    { bus, prefix: 'p', partitions: 2, stop: stop.signal, sinks: { graded } },
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  expect(await whole).toBe('stopped');
});

it('wrong calls are refused before a topic is made', async () => {
  const { run, bus } = scene({ only: ['jugde'] });
  await expect(run()).rejects.toThrow(/TM_OPTIONS: only: no part is called jugde/);
  expect(await bus.admin().listTopics()).toEqual([]);
});
