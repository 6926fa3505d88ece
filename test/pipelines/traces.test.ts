import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { headerText } from '../../src/core/record.ts';
import { pull } from '../../src/core/source.ts';
import { type SpanBatch, spanBatchOf } from '../../src/dialects/otlp/span-batch.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { listenIntoKafka } from '../../src/pipelines/listen-into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { traceStages, tracesPipeline } from '../../src/pipelines/traces.ts';
import { latestRevisions } from '../../src/rows/revision.ts';
import type { Row } from '../../src/rows/row.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { otlpReceiver } from '../../src/sources/otlp.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { jsonBody, protobufBody } from '../otlp-body.ts';
import { memoryBroker } from '../sources/memory-broker.ts';
import { type SpanRecord, talk } from '../spans.ts';

const nothing = { defaultValue: undefined };
const salt = 'a salt of the test';
/** In one process the end of the stream closes every session; over topics only time does, and a busy machine takes its own. */
const options = { salt, traceIdleMs: 60_000, maxIdleMs: 60_000, maxLateMs: 60_000 };
const overTopics = { salt, traceIdleMs: 200, maxIdleMs: 500, maxLateMs: 5000 };
const longMs = 60_000;
const prefix = 'p';

/** Run the stages over their topics until each has committed all there is. */
async function untilCommitted(
  { bus, isDone }: ReturnType<typeof memoryBroker>,
  stages: ReturnType<typeof traceStages>,
): Promise<void> {
  const stop = new AbortController();
  const run = lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal }), nothing);
  for (const { name, from } of stages)
    await vi.waitFor(
      () => expect([name, isDone(`${prefix}.${name}`, topicName(prefix, from))]).toEqual([name, true]),
      longMs,
    );
  stop.abort();
  await run;
}
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

it(
  'gives the same rows over topics, from the bytes that a Collector writes, and commits them all',
  async () => {
    const all = bodies(['a', 'b', 'c', 'd']);
    const whole = await inProcess(all);
    const broker = memoryBroker();
    const { bus, append, rows, records } = broker;
    const stages = traceStages(overTopics);
    await ensureTopics(topicsOf(stages, prefix, 2), bus);
    const spans = topicName(prefix, 'spans');
    append(
      spans,
      all.map((value, n) => ({ key: n % 3 === 0 ? null : String(n), value })),
    );
    append(spans, [{ key: null, value: Buffer.from([0xff, 0x01, 0x02]) }]);
    await untilCommitted(broker, stages);
    expect(sorted(rows(topicName(prefix, 'traces')))).toEqual(whole.rows);
    const [letter] = records(`${spans}.dlq`);
    expect(headerText(letter?.headers ?? {}, 'dlq.reason')).toBe('invalid_bytes');
  },
  longMs,
);

it(
  'answers a sender when the topic has its spans, and the same rows come of them',
  async () => {
    const talks = ['a', 'b', 'c'];
    const broker = memoryBroker();
    const { bus, rows, records } = broker;
    const stages = traceStages(overTopics);
    await ensureTopics(topicsOf(stages, prefix, 2), bus);
    const receiver = otlpReceiver();
    const clean = () => 'cleaned';
    const done = lastValueFrom(listenIntoKafka({ bus, prefix, source: receiver.source, clean }), nothing);
    const post = (path: string, body: Buffer) =>
      receiver.fetch(
        new Request(`http://127.0.0.1:4318${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf' },
          body: new Uint8Array(body),
        }),
      );
    for (const name of talks) {
      const [root = {}, ...others] = talk(name);
      const before = records(topicName(prefix, 'spans')).length;
      const answer = await post('/v1/traces', protobufBody([root, ...others.slice(0, 4), { ...root, span_id: 'ab' }]));
      expect(answer.status).toBe(200);
      expect(records(topicName(prefix, 'spans')).length).toBeGreaterThan(before);
      expect((await post('/v1/logs', protobufBody(others.slice(4)))).status).toBe(200);
    }
    receiver.end();
    await done;
    await untilCommitted(broker, stages);
    const whole = await inProcess(bodies(talks));
    expect(sorted(rows(topicName(prefix, 'traces')))).toEqual(whole.rows);
    const letters = records(`${topicName(prefix, 'spans')}.dlq`).map(({ value }) => String(value));
    expect(letters).toEqual(talks.map(() => 'cleaned'));
  },
  longMs,
);

it(
  'a verdict that came when its trace was forgotten made no row, and nothing said so',
  async () => {
    const broker = memoryBroker();
    const { bus, append, rows, records } = broker;
    const stages = traceStages(overTopics);
    await ensureTopics(topicsOf(stages, prefix, 1), bus);
    const spans = topicName(prefix, 'spans');
    append(spans, [{ key: null, value: protobufBody(talk('a')) }]);
    const verdict = { ...(talk('b')[5] ?? {}), trace_id: 'f'.repeat(32), span_id: '' };
    append(spans, [{ key: null, value: protobufBody([verdict]) }]);
    await untilCommitted(broker, stages);
    expect(sorted(rows(topicName(prefix, 'traces')))).toMatchObject([{ conversation_id: 'talk-a' }]);
    const letters = records(`${topicName(prefix, 'session_spans')}.dlq`);
    expect(letters.map(({ value }) => JSON.parse(String(value)))).toMatchObject([{ trace_id: verdict.trace_id }]);
    expect(letters.map(({ headers }) => headerText(headers, 'dlq.reason'))).toEqual(['unknown_trace']);
  },
  longMs,
);

it('run traces refused to start with options that its own stages do not know', () => {
  const { stages } = tracesPipeline.open({ salt, maxIdleMs: 500, traceIdleMs: 200, rules: [] }, {});
  for (const stage of stages)
    expect([stage.name, typeof stage.operator({ task: 0 } as never)]).toEqual([stage.name, 'function']);
  expect(() => tracesPipeline.open({ salt, tellsFeedback: true }, {})).toThrow(/tellsFeedback/);
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

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6';
const secrets = [key, 'hunter2-and-more1', 'jo.doe@mail.example', 'jo-laptop', '/home/joanna', '+49 30 1234567'];
const all = secrets.join(' , ');

/** A talk that has secrets wherever a span can hold words. */
function leaky(): readonly SpanRecord[] {
  const [root = {}, ask = {}, tool = {}, post = {}, answer = {}, verdict = {}] = talk('a');
  const more = (span: SpanRecord, attributes: object): SpanRecord => ({
    ...span,
    attributes: { ...(span['attributes'] as object), ...attributes },
  });
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  return [
    more(
      { ...root, name: `invoke_agent ${key}` },
      { 'enduser.id': 'jo.doe@mail.example', password: 'hunter2-and-more1' },
    ),
    more(ask, { 'gen_ai.input.messages': message('user', `Where is a? ${all}`), 'gen_ai.system_instructions': all }),
    more(tool, {
      'gen_ai.tool.call.arguments': JSON.stringify({ name: 'a', note: all, password: 'hunter2-and-more1' }),
      'gen_ai.tool.call.result': JSON.stringify({ place: `here ${all}` }),
      'http.request.header.authorization': 'hunter2-and-more1',
    }),
    { ...post, status: { code: 2, message: `failed: ${all}` } },
    more(answer, { 'gen_ai.output.messages': message('assistant', `a is here. ${all}`), nested: { deep: [all] } }),
    more(verdict, { 'gen_ai.evaluation.explanation': all }),
  ].map((record) => ({
    ...record,
    resource: {
      attributes: {
        'service.name': 'finder',
        'host.name': 'jo-laptop',
        'process.owner': 'joanna',
        'process.command_line': `node app --key ${key}`,
        'process.executable.path': '/home/joanna/bin/node',
        'db.url': 'postgres://app:hunter2-and-more1@db/x',
      },
    },
  }));
}

it(
  'stores no secret and no personal data on any topic, in any row or letter, and joins still hold',
  async () => {
    const broker = memoryBroker();
    const { bus, append, rows, records } = broker;
    const stages = traceStages(overTopics);
    await ensureTopics(topicsOf(stages, prefix, 2), bus);
    append(topicName(prefix, 'spans'), [{ key: null, value: protobufBody(leaky().slice(0, 5)) }]);
    append(topicName(prefix, 'spans'), [{ key: null, value: jsonBody(leaky().slice(5)) }]);
    const broken = leaky()
      .slice(0, 5)
      .map((span, n) => (n === 2 ? { ...span, span_id: 'abc' } : span));
    append(topicName(prefix, 'spans'), [{ key: null, value: jsonBody(broken) }]);
    await untilCommitted(broker, stages);
    const letters = records(`${topicName(prefix, 'spans')}.dlq`);
    expect(letters.map(({ value }) => JSON.parse(String(value)))).toMatchObject([
      { span_id: 'abc', name: 'execute_tool' },
    ]);
    expect(letters.map(({ headers }) => headerText(headers, 'dlq.part'))).toEqual(['true']);
    for (const secret of secrets) expect([secret, String(letters[0]?.value).includes(secret)]).toEqual([secret, false]);
    for (const kind of ['trace_spans', 'session_spans', 'traces']) {
      const stored = records(topicName(prefix, kind)).map(({ key: at, value }) => `${at} ${value}`);
      expect(stored.length).toBeGreaterThan(0);
      for (const secret of secrets)
        expect([kind, secret, stored.some((text) => text.includes(secret))]).toEqual([kind, secret, false]);
    }
    const [row] = sorted(rows(topicName(prefix, 'traces')));
    const email = /\[email:[0-9a-f]{12}\]/.exec(String(row?.prompt))?.[0] ?? 'none';
    expect(JSON.stringify(row?.steps)).toContain(email);
    expect(row?.final_text).toContain(email);
    expect(row?.['redacted']).toMatchObject({
      email: expect.any(Number),
      user: expect.any(Number),
      openai_key: expect.any(Number),
    });
  },
  longMs,
);
