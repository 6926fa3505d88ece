import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { createCounters } from '../../src/core/counters.ts';
import type { Rejection } from '../../src/core/operator.ts';
import { headerText } from '../../src/core/record.ts';
import { pull } from '../../src/core/source.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { type OnKafka, onKafka } from '../../src/pipelines/on-kafka.ts';
import { partsOf } from '../../src/pipelines/parts.ts';
import { replayLetters } from '../../src/pipelines/replay-letters.ts';
import { kindsOf, topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { type Ask, type Group, placeOfRollout, rollouts, scene, slowAsk } from '../e2e/scene.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const seed = 'unit';
const prefix = 'p';
const nothing = { defaultValue: undefined };
const input = rollouts(100, 4, seed);
const byId = (groups: readonly Group[]) => Object.fromEntries(groups.map((group) => [group.group_id, group]));
const reasons = (rejected: readonly Rejection<unknown>[]) => rejected.map(({ by, reason }) => `${by} ${reason}`);

async function memoryRun(ask: Ask, maxInFlight: number, serialised = false) {
  const done: string[] = [];
  const [selected, markers, rejected] = [memorySink<Group>(), memorySink<{ rollout_id: string }>(), rejectedSink()];
  const source = pull(input, ({ rollout_id }) => done.push(rollout_id));
  const whole = inMemory(scene({ ask, k: 4 }), {
    source,
    sinks: { selected, markers },
    rejected,
    maxInFlight,
    serialised,
  });
  await lastValueFrom(whole, nothing);
  return { done, selected: selected.rows, markers: markers.rows, rejected: rejected.rows };
}

async function topicRun(ask: Ask, ends: Partial<OnKafka> = {}) {
  const broker = memoryBroker();
  const { bus, isDone } = broker;
  const stages = scene({ ask, k: 4 });
  await ensureTopics(topicsOf(stages, prefix, 2), bus);
  await lastValueFrom(intoKafka({ bus, prefix, kind: 'rollouts', source: pull(input), ...placeOfRollout }), nothing);
  const stop = new AbortController();
  const run = lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal, ...ends }), nothing);
  const settled = async () => {
    for (const { name, stage } of partsOf(stages, ends.sinks))
      await vi.waitFor(
        () => expect([name, isDone(`${prefix}.${name}`, topicName(prefix, stage.from))]).toEqual([name, true]),
        10_000,
      );
  };
  const finish = async () => {
    stop.abort();
    await run;
  };
  return { ...broker, stages, settled, finish };
}

it('accounts for every rollout in memory, and selects the same groups at any speed and over any bus', async () => {
  const { done, selected, markers, rejected } = await memoryRun(slowAsk(seed, 0), 8);
  expect(done.sort()).toEqual(input.map(({ rollout_id }) => rollout_id).sort());
  const dropped = reasons(rejected);
  const duplicates = dropped.filter((reason) => reason === 'dedupe duplicate').length;
  expect((selected.length + dropped.length - duplicates) * 4 + duplicates).toBe(input.length);
  expect(markers).toHaveLength(input.length);
  for (const [maxMs, maxInFlight, serialised] of [
    [3, 64, false],
    [0, 3, true],
  ] as const) {
    const other = await memoryRun(slowAsk(seed, maxMs), maxInFlight, serialised);
    expect(byId(other.selected)).toEqual(byId(selected));
    expect(reasons(other.rejected).sort()).toEqual(dropped.sort());
  }
});

it('gives the same rows over topics, commits all, stops in order, and counts what it did', async () => {
  const { selected, markers, rejected } = await memoryRun(slowAsk(seed, 0), 8);
  const { hooks, snapshot } = createCounters();
  const file = memorySink<Group>();
  const { settled, finish, rows, records, append, stages } = await topicRun(slowAsk(seed, 1), {
    hooks,
    sinks: { selected: file },
  });
  append(topicName(prefix, 'rollouts'), [
    { key: 'x', value: 'not json' },
    { key: 'y', value: null },
  ]);
  await settled();
  const gauges = snapshot().flatMap(({ stage, operator, gauges }) => (operator === 'source' ? [[stage, gauges]] : []));
  expect(Object.fromEntries(gauges)).toMatchObject({ judge: { lag: 0, oldest_ms: 0 }, group: { lag: 0 } });
  await finish();
  expect(byId(rows(topicName(prefix, 'selected')))).toEqual(byId(selected));
  expect(byId(file.rows)).toEqual(byId(selected));
  const ids = (all: readonly { rollout_id: string }[]) => [...new Set(all.map(({ rollout_id }) => rollout_id))].sort();
  expect(ids(rows(topicName(prefix, 'markers')))).toEqual(ids(markers));
  const letters = kindsOf(stages).flatMap((kind) => records(`${topicName(prefix, kind)}.dlq`));
  const written = letters.map(
    ({ headers }) => `${headerText(headers, 'dlq.operator')} ${headerText(headers, 'dlq.reason')}`,
  );
  const expected = [...reasons(rejected).filter((reason) => reason !== 'dedupe duplicate'), 'kafka invalid_json'];
  expect(written.sort()).toEqual(expected.sort());
  const counted = (operator: string, what: string) =>
    snapshot().reduce((sum, counts) => sum + (counts.operator === operator ? (counts.counts[what] ?? 0) : 0), 0);
  expect([counted('source', 'tombstone'), counted('source', 'repeated')]).toEqual([1, expect.any(Number)]);
  expect(counted('source', 'repeated')).toBeGreaterThan(0);
});

it('a record of a newer schema is counted and becomes a dead letter that says so; an older or unnamed one is read', async () => {
  const { hooks, snapshot } = createCounters();
  const { settled, finish, append, records, rows } = await topicRun(slowAsk(seed, 0), { hooks });
  const row = (rollout_id: string) => JSON.stringify({ rollout_id, task_id: 'versions', text: '' });
  const topic = topicName(prefix, 'rollouts');
  append(topic, [
    { key: 'versions', value: row('newer'), headers: { 'tm-id': 'newer', 'tm-schema': 'rollouts/2' } },
    { key: 'versions', value: row('ours'), headers: { 'tm-id': 'ours', 'tm-schema': 'rollouts/1' } },
    ...['unnamed', 'fills', 'the group'].map((id) => ({ key: 'versions', value: row(id) })),
  ]);
  await settled();
  await finish();
  const judged = rows(topicName(prefix, 'verdicts')).map(({ rollout_id }) => rollout_id);
  expect(judged).toEqual(expect.arrayContaining(['ours', 'unnamed']));
  expect(judged).not.toContain('newer');
  const letters = records(`${topic}.dlq`).filter(({ headers }) => headerText(headers, 'dlq.reason') === 'newer_schema');
  expect(letters.map(({ value }) => String(value))).toEqual([row('newer')]);
  expect(headerText(letters[0]?.headers ?? {}, 'dlq.error_message')).toMatch(/rollouts\/2.*reads up to 1.*replay/);
  expect(snapshot().find(({ stage, operator }) => stage === 'judge' && operator === 'source')?.counts).toMatchObject({
    newer_schema: 1,
  });
});

it('runs only the parts it is told to, and knows their names', async () => {
  const { bus, stages, settled, finish, rows, isDone } = await topicRun(slowAsk(seed, 0), {
    only: ['judge', 'view.markers'],
  });
  await vi.waitFor(() => expect(isDone('p.view.markers', topicName(prefix, 'verdicts'))).toBe(true), 10_000);
  await finish();
  expect(rows(topicName(prefix, 'groups'))).toEqual([]);
  expect(settled).toBeTypeOf('function');
  expect(() => onKafka(stages, { bus, prefix, only: ['jugde'] })).toThrow(
    /TM_OPTIONS.*jugde.*judge, group, band, view.markers/,
  );
  expect(() => onKafka(stages, { bus, prefix, sinks: { nope: memorySink<never>() } })).toThrow(/TM_OPTIONS.*nope/);
});

it('sends dead letters again as they were, one try higher, each once', async () => {
  let isBroken = true;
  const ask: Ask = async ({ rollout_id }) => {
    if (isBroken && rollout_id === 't1.0') throw new Error('no verdict');
    return 1;
  };
  const { bus, finish, records, append, isDone } = await topicRun(ask, { only: ['judge'] });
  const topic = topicName(prefix, 'rollouts');
  const settled = () => vi.waitFor(() => expect(isDone('p.judge', topic)).toBe(true), 10_000);
  append(topicName(prefix, 'rollouts'), [{ key: 'x', value: Buffer.from([0xff, 0x7b]), headers: { from: 'outside' } }]);
  await settled();
  const before = records(topic).length;
  isBroken = false;
  expect(await replayLetters({ bus, topic, reasons: ['error'] })).toEqual({ replayed: 1, passed: 1 });
  await settled();
  const again = records(topic).slice(0);
  expect(again).toHaveLength(before + 1);
  const replayed = again.filter(({ headers }) => headerText(headers, 'tm-attempt') === '2');
  expect(
    replayed.map(({ key, value, headers }) => [
      String(key),
      JSON.parse(String(value)).rollout_id,
      Object.keys(headers).some((name) => name.startsWith('dlq.')),
    ]),
  ).toEqual([['t1', 't1.0', false]]);
  const verdict = records(topicName(prefix, 'verdicts')).find(({ headers }) => headerText(headers, 'tm-id') === 't1.0');
  expect(headerText(verdict?.headers ?? {}, 'tm-attempt')).toBe('2');
  expect(await replayLetters({ bus, topic })).toEqual({ replayed: 1, passed: 0 }); // what the first one passed over
  await finish();
});
