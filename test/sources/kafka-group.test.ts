import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { pull } from '../../src/core/source.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { placeOfRollout, rollouts, scene } from '../e2e/scene.ts';
import { memoryBroker } from './memory-broker.ts';

it('finishes calls that run when another member joins, although all was emitted: none is made twice', async () => {
  const { bus, isDone, rows } = memoryBroker();
  const prefix = 'p';
  const asked: string[] = [];
  const release: (() => void)[] = [];
  const ask = ({ rollout_id }: { readonly rollout_id: string }) =>
    new Promise<number>((resolve) => {
      asked.push(rollout_id);
      release.push(() => resolve(1));
    });
  const stages = scene({ ask, k: 1 });
  const input = [...new Map(rollouts(50, 1, 's').map((row) => [row.rollout_id, row])).values()].slice(0, 12);
  await ensureTopics(topicsOf(stages, prefix, 2), bus);
  await lastValueFrom(intoKafka({ bus, prefix, kind: 'rollouts', source: pull(input), ...placeOfRollout }), {
    defaultValue: undefined,
  });
  const stop = new AbortController();
  const start = () =>
    lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal, only: ['judge'] }), { defaultValue: undefined });
  const one = start();
  await vi.waitFor(() => expect(asked).toHaveLength(12), 5000);
  const two = start();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(asked).toHaveLength(12); // the second member waits for the first
  for (const done of release) done();
  await vi.waitFor(() => expect(isDone('p.judge', topicName(prefix, 'rollouts'))).toBe(true), 5000);
  stop.abort();
  await Promise.all([one, two]);
  expect([asked.length, rows(topicName(prefix, 'verdicts')).length]).toEqual([12, 12]);
});
