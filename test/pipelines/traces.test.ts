import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import { pull } from '../../src/core/source.ts';
import { type SpanBatch, spanBatchOf } from '../../src/dialects/otlp/span-batch.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { traceStages } from '../../src/pipelines/traces.ts';
import { latestRevisions } from '../../src/rows/revision.ts';
import type { Row } from '../../src/rows/row.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { jsonBody, protobufBody } from '../otlp-body.ts';
import { memoryBroker } from '../sources/memory-broker.ts';
import { type SpanRecord, talk } from '../spans.ts';

const nothing = { defaultValue: undefined };
const salt = 'a salt of the test';
const options = { salt, traceIdleMs: 20, maxIdleMs: 60, maxLateMs: 100 };
const sorted = (rows: readonly Row[]) =>
  latestRevisions(rows).sort((a, b) => (String(a.rollout_id) < String(b.rollout_id) ? -1 : 1));

/** Talks as two services send them: each its own export, in its own encoding, one span of the middle in a third. */
function bodies(names: readonly string[]): Buffer[] {
  return names.flatMap((name) => {
    const [root = {}, ask = {}, tool = {}, post = {}, answer = {}, verdict = {}] = talk(name);
    const other = { resource: { attributes: { 'service.name': 'tools', 'host.name': 'box-of-jo' } } };
    const here: SpanRecord[] = [ask, answer];
    return [protobufBody(here), jsonBody([{ ...tool, ...other }]), protobufBody([verdict]), protobufBody([post, root])];
  });
}

async function inProcess(all: readonly Buffer[], serialised = false) {
  const [traces, rejected] = [memorySink<Row>(), rejectedSink()];
  const source = pull(all.map(spanBatchOf));
  await lastValueFrom(inMemory(traceStages(options), { source, sinks: { traces }, rejected, serialised }), nothing);
  return { rows: sorted(traces.rows), rejected: rejected.rows };
}

it('makes one row of each conversation, whatever services, exports and encodings its spans came in', async () => {
  const { rows } = await inProcess(bodies(['a', 'b', 'c']));
  expect(rows).toHaveLength(3);
  expect(rows.find(({ conversation_id }) => conversation_id === 'talk-b')).toMatchObject({
    prompt: 'Where is b?',
    steps: [{ tool: 'find', arguments: { name: 'b' }, result: { place: 'here' } }],
    final_text: 'b is here.',
    usage: { input_tokens: 30, output_tokens: 12 },
    markers: { polite: 1 },
    span_counts: { spans: 5, orphans: 0 },
  });
  expect((await inProcess(bodies(['a', 'b', 'c']), true)).rows).toEqual(rows);
});

it('gives the same rows over topics, from the bytes that a Collector writes, and commits them all', async () => {
  const all = bodies(['a', 'b', 'c', 'd']);
  const whole = await inProcess(all);
  const { bus, append, rows, records, isDone } = memoryBroker();
  const stages = traceStages(options);
  const prefix = 'p';
  await ensureTopics(topicsOf(stages, prefix, 2), bus);
  const spans = topicName(prefix, 'spans');
  append(
    spans,
    all.map((value, n) => ({ key: n % 3 === 0 ? null : String(n), value })),
  );
  append(spans, [{ key: null, value: Buffer.from([0xff, 0x01, 0x02]) }]);
  const stop = new AbortController();
  const run = lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal }), nothing);
  for (const { name, from } of stages)
    await vi.waitFor(
      () => expect([name, isDone(`${prefix}.${name}`, topicName(prefix, from))]).toEqual([name, true]),
      10_000,
    );
  stop.abort();
  await run;
  expect(sorted(rows(topicName(prefix, 'traces')))).toEqual(whole.rows);
  const [letter] = records(`${spans}.dlq`);
  expect(headerText(letter?.headers ?? {}, 'dlq.reason')).toBe('invalid_bytes');
});

it('rejects a span with a broken id alone, and keeps the others of its export', async () => {
  const [root = {}, ...rest] = talk('a');
  const batch = spanBatchOf(jsonBody([...rest.slice(0, 4), { ...root, span_id: 'abc' }]));
  expect(batch.records).toHaveLength(4);
  const [traces, rejected] = [memorySink<Row>(), rejectedSink()];
  const source = pull<SpanBatch>([batch]);
  await lastValueFrom(inMemory(traceStages(options), { source, sinks: { traces }, rejected }), nothing);
  expect(rejected.rows).toMatchObject([{ by: 'decode-spans', reason: 'invalid_id' }]);
  expect(traces.rows).toMatchObject([{ final_text: 'a is here.', span_counts: { orphans: 3 } }]);
});
