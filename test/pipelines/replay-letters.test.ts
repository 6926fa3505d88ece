import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { compose } from '../../src/core/compose.ts';
import { pull } from '../../src/core/source.ts';
import { defineStage } from '../../src/core/stage.ts';
import { bandFilter } from '../../src/operators/band-filter.ts';
import { ungroup } from '../../src/operators/ungroup.ts';
import { groupStage } from '../../src/pipelines/group-stage.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { replayLetters } from '../../src/pipelines/replay-letters.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { type Group, groupSchema } from '../../src/rows/group.ts';
import { type Row, rowSchema } from '../../src/rows/row.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const prefix = 'p';
const nothing = { defaultValue: undefined };
const rollout = (n: number): Row => ({
  rollout_id: `t.${n}`,
  task_id: 't',
  prompt: 'Where is it?',
  final_text: `It is on shelf ${n}.`,
  reward: n % 2,
  privileged: { reference: 'shelf 1' },
});
const stages = (maxIdleMs: number) => [
  groupStage({ k: 4, maxIdleMs }),
  defineStage<Group, Row>({
    name: 'band',
    from: 'groups',
    to: 'selected',
    reads: groupSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    operator: () => compose(bandFilter({}), ungroup({})),
  }),
];

it('a task that was closed without a rollout becomes whole when its group and the rollout are sent again', async () => {
  const { bus, records } = memoryBroker();
  const send = (rows: readonly Row[]) =>
    lastValueFrom(intoKafka({ bus, prefix, kind: 'graded', source: pull(rows), ...rowIdentity }), nothing);
  const rowsOf = (kind: string) => records(topicName(prefix, kind));
  await ensureTopics(topicsOf(stages(1), prefix, 2), bus);
  const early = new AbortController();
  const first = lastValueFrom(onKafka(stages(50), { bus, prefix, stop: early.signal }), nothing);
  await send([rollout(0), rollout(1), rollout(2)]);
  const letters = `${topicName(prefix, 'groups')}.dlq`;
  await vi.waitFor(() => expect(records(letters)).toHaveLength(1), 10_000);
  early.abort();
  await first;
  expect(rowsOf('selected')).toEqual([]);

  const stop = new AbortController();
  const second = lastValueFrom(onKafka(stages(600_000), { bus, prefix, stop: stop.signal }), nothing);
  await send([rollout(3)]);
  const told = await replayLetters({ bus, topic: letters, reasons: ['incomplete'] });
  expect(told).toEqual({ replayed: 1, passed: 0 });
  await vi.waitFor(() => expect(rowsOf('selected')).toHaveLength(4), 10_000);
  stop.abort();
  await second;
  const again = rowsOf('graded').slice(-3);
  expect(again.map(({ headers }) => [String(headers['tm-schema']), String(headers['tm-attempt'])])).toEqual(
    Array.from({ length: 3 }, () => ['graded/1', '2']),
  );
  expect(again.every(({ headers }) => headers['tm-answer-key'] !== undefined)).toBe(true);
  expect(new Set(rowsOf('graded').map(({ headers }) => String(headers['tm-id']))).size).toBe(4);
});

it('a replay of one reason leaves the letters of others to a later one, and each is sent once', async () => {
  const { bus, append, make, rows } = memoryBroker();
  make('x');
  make('x.dlq');
  const letter = (id: string, reason: string) => ({
    key: id,
    value: JSON.stringify({ id }),
    headers: { 'tm-id': id, 'dlq.topic': 'x', 'dlq.reason': reason },
  });
  append('x.dlq', [letter('a', 'error'), letter('b', 'incomplete'), letter('c', 'error'), letter('d', 'timeout')]);
  const replayed = (...reasons: string[]) => replayLetters({ bus, topic: 'x', reasons });
  expect(await replayed('incomplete')).toEqual({ replayed: 1, passed: 3 });
  expect(await replayed('error')).toEqual({ replayed: 2, passed: 1 });
  expect(await replayLetters({ bus, topic: 'x' })).toEqual({ replayed: 1, passed: 0 });
  expect(await replayLetters({ bus, topic: 'x' })).toEqual({ replayed: 0, passed: 0 });
  expect(
    rows('x')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'b', 'c', 'd']);
});

it('a group that is sent apart has the highest attempt of its rollouts, so that none is taken for a repeat', async () => {
  const { bus, append, records } = memoryBroker();
  await ensureTopics(topicsOf(stages(1), prefix, 2), bus);
  const graded = (n: number, attempt: string) => ({
    key: 't',
    value: JSON.stringify({ ...rollout(n), privileged: undefined }),
    headers: { 'tm-id': `t.${n}`, 'tm-schema': 'graded/1', 'tm-attempt': attempt },
  });
  append(topicName(prefix, 'graded'), [graded(0, '1'), graded(1, '1'), graded(3, '2')]);
  const stop = new AbortController();
  const run = lastValueFrom(onKafka(stages(50), { bus, prefix, stop: stop.signal }), nothing);
  const letters = `${topicName(prefix, 'groups')}.dlq`;
  await vi.waitFor(() => expect(records(letters)).toHaveLength(1), 10_000);
  expect(records(letters).map(({ headers }) => String(headers['tm-attempt']))).toEqual(['2']);
  stop.abort();
  await run;
});
