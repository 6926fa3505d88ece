import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { pull } from '../../src/core/source.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { traceToTrainingPipeline } from '../../src/pipelines/trace-to-training.ts';
import type { Row } from '../../src/rows/row.ts';
import { trainingPartSchema } from '../../src/rows/training-part.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { freshFolder } from '../folder.ts';
import { rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const tools = [
  { name: 'get_order', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } },
  { name: 'refund', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } },
];
const traces: Row[] = Array.from({ length: 12 }, (_, n) => ({
  rollout_id: `trace-${n}`,
  prompt: `Give me my money back for order A${n}`,
  steps: [{ tool: n % 2 === 0 ? 'refund' : 'get_order', arguments: { order_id: `A${n}` }, result: { status: 'ok' } }],
  final_text: n % 3 === 0 ? 'Done.' : 'I cannot.',
}));
/** Passes every other repeat, so that every group teaches. */
const agent = (_message: string, { rolloutIndex }: { readonly rolloutIndex: number }) =>
  rolloutIndex % 2 === 0 ? 'Done.' : 'I cannot.';
const judge = { name: 'done', judge: ({ final_text }: Row) => (final_text === 'Done.' ? 1 : 0) };
const nothing = { defaultValue: undefined };
const open = (out: string) =>
  traceToTrainingPipeline.open({ tools, k: 4, perFailure: 3, out, partRows: 16, waitMs: 20 }, { agent, judge });

async function trainedOn(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, 'manifest'))).filter((name) => name.endsWith('.json'));
  const parts = await Promise.all(
    names.map(async (name) =>
      trainingPartSchema.parse(JSON.parse(await readFile(join(folder, 'manifest', name), 'utf8'))),
    ),
  );
  return parts.flatMap(({ row_ids }) => row_ids).sort();
}

async function inProcess(folder: string): Promise<string[]> {
  const { stages, sinks = {} } = open(folder);
  await lastValueFrom(inMemory(stages, { source: pull(traces), sinks, rejected: rejectedSink() }), nothing);
  return trainedOn(folder);
}

it('makes a training set of what failing traces call for, each rollout once', async () => {
  const folder = await freshFolder();
  const ids = await inProcess(folder);
  expect(ids.length).toBeGreaterThanOrEqual(4 * 4);
  expect(ids.length % 4).toBe(0);
  expect(new Set(ids).size).toBe(ids.length);
});

it('grows the same set over topics, also when it is stopped in the middle and started again', async () => {
  const folder = await freshFolder();
  const expected = await inProcess(join(folder, 'memory'));
  const { bus, isDone } = memoryBroker();
  const out = join(folder, 'topics');
  const prefix = 'loop';
  const { stages, sinks = {} } = open(out);
  await ensureTopics(topicsOf(stages, prefix, 2), bus);
  const send = (rows: readonly Row[]) =>
    lastValueFrom(intoKafka({ bus, prefix, kind: 'traces', source: pull(rows), ...rowIdentity }), nothing);
  const during = async (work: () => Promise<void>) => {
    const stop = new AbortController();
    const whole = lastValueFrom(onKafka(stages, { bus, prefix, sinks, stop: stop.signal }), nothing);
    await work();
    stop.abort();
    await whole;
  };
  await during(() => send(traces.slice(0, 5)));
  await during(async () => {
    await send(traces.slice(3)); // two of them again
    for (const { name, from } of stages)
      await vi.waitFor(
        () => expect([name, isDone(`${prefix}.${name}`, topicName(prefix, from))]).toEqual([name, true]),
        15_000,
      );
    await vi.waitFor(() => expect(isDone(`${prefix}.sink.selected`, topicName(prefix, 'selected'))).toBe(true), 15_000);
  });
  expect(await trainedOn(out)).toEqual(expected);
});
