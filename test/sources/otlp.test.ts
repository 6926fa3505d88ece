import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { isLog } from '../../src/dialects/otlp/decoded-log.ts';
import { messageType } from '../../src/dialects/otlp/protobuf-messages.ts';
import { otlpReceiver } from '../../src/sources/otlp.ts';
import { exportOf, request, scene, span } from './otlp-scene.ts';

const answerOf = async (response: Response) => [response.status, await response.text()];

it('answers when the span is stored, and not before', async () => {
  let store = () => {};
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const { receiver, records, end } = scene({}, {}, { write: () => stored });
  let isAnswered = false;
  const answer = receiver.fetch(request()).finally(() => {
    isAnswered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAnswered).toBe(false);
  store();
  expect(await answerOf(await answer)).toEqual([200, '{}']);
  expect(records).toMatchObject([{ span_id: span.spanId }]);
  await end();
});

it('says in time that a span is not stored yet, so that its sender comes again', async () => {
  const { receiver } = scene({ maxStoreMs: 5, retryAfterS: 2 }, {}, { write: () => new Promise(() => {}) });
  const response = await receiver.fetch(request());
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
});

it.each([
  [404, { path: '/v1/metrics' }],
  [405, { method: 'GET' }],
  [415, { headers: { 'content-type': 'text/plain' } }],
  [415, { headers: { 'content-encoding': 'br' } }],
  [400, { body: '{' }],
  [400, { body: '[]' }],
  [400, { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }],
  [413, { body: ' '.repeat(2001) }],
  [413, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(' '.repeat(100_000)) }],
  [413, { body: exportOf(...Array.from({ length: 9 }, () => ({}))) }],
  [413, { body: exportOf({ ...span, events: Array.from({ length: 9 }, () => ({})) }) }],
  [413, { body: exportOf({ ...span, attributes: Array.from({ length: 600 }, () => 0) }) }],
  [413, { path: '/v1/scores', body: JSON.stringify(Array.from({ length: 9 }, () => 0)) }],
] as const)('answers %i to %j', async (status, sent) => {
  const { receiver, records, end } = scene({ maxBodyBytes: 2000, maxSpans: 8, maxEvents: 8, maxValues: 100 });
  const response = await receiver.fetch(request(sent));
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ message: expect.stringMatching(/.{5}/) });
  expect(response.headers.get('retry-after')).toBe(null);
  await end();
  expect(records).toEqual([]);
});

it('asks for the token, and takes nothing without it', async () => {
  const token = 'a-token-of-some-length';
  const { receiver, records, end } = scene({ token });
  for (const authorization of ['', 'Bearer wrong', `Basic ${token}`, 'Bearer'])
    expect((await receiver.fetch(request({ headers: { authorization } }))).status).toBe(401);
  expect((await receiver.fetch(request({ headers: { authorization: `Bearer ${token}` } }))).status).toBe(200);
  await end();
  expect(records).toHaveLength(1);
});

it('keeps the good spans of a batch, and says how many it does not keep', async () => {
  const { receiver, records, rejections, end } = scene({ maxAttributeChars: 100 });
  const large = { ...span, attributes: [{ key: 'text', value: { stringValue: 'x'.repeat(1000) } }] };
  const response = await receiver.fetch(request({ body: exportOf(span, { ...span, spanId: '00' }, large) }));
  expect(await response.json()).toEqual({
    partialSuccess: { rejectedSpans: '2', errorMessage: 'rejected: 1 invalid_id, 1 too_large' },
  });
  await end();
  expect(records).toHaveLength(1);
  expect(rejections).toMatchObject([
    { by: 'otlp', reason: 'invalid_id' },
    { by: 'otlp', reason: 'too_large', row: { attributes: { text: '(1000 characters)' } } },
  ]);
});

it('speaks protobuf to who speaks it', async () => {
  const { receiver, records, end } = scene();
  const type = messageType('TraceRequest');
  const sent = { ...span, traceId: Buffer.from(span.traceId, 'hex'), spanId: Buffer.from('00', 'hex') };
  const good = { ...sent, spanId: Buffer.from(span.spanId, 'hex') };
  const bytes = type.encode(type.fromObject({ resourceSpans: [{ scopeSpans: [{ spans: [good, sent] }] }] })).finish();
  const headers = { 'content-type': 'application/x-protobuf' };
  const response = await receiver.fetch(request({ headers, body: new Uint8Array(bytes) }));
  expect(response.headers.get('content-type')).toBe('application/x-protobuf');
  const said = messageType('TraceResponse').decode(new Uint8Array(await response.arrayBuffer()));
  expect(said.toJSON()).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
  await end();
  expect(records).toHaveLength(1);
});

it('counts log records under their own name', async () => {
  const { receiver, records, end } = scene();
  const logRecords = [{ traceId: span.traceId, eventName: 'gen_ai.choice' }, { body: { stringValue: 'started' } }];
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const response = await receiver.fetch(request({ path: '/v1/logs', body }));
  expect(await response.json()).toMatchObject({ partialSuccess: { rejectedLogRecords: '1' } });
  await end();
  expect(records.map(isLog)).toEqual([true]);
});

it('sends away with 429 when there is no room, and holds no more than one request beyond it', async () => {
  const { receiver } = scene(
    { maxWaitMs: 5, maxStoreMs: 10 },
    {},
    { write: () => new Promise(() => {}), maxInFlight: 2 },
  );
  const spans = [1, 2, 3].map((n) => ({ ...span, spanId: `${n}`.repeat(16) }));
  const first = receiver.fetch(request({ body: exportOf(...spans) }));
  await new Promise((resolve) => setTimeout(resolve, 1));
  const second = await receiver.fetch(request());
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await first).status).toBe(503);
});

it('cuts a body that does not come to its end', async () => {
  const { receiver, end } = scene({ maxBodyMs: 5 });
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"resource')) });
  const response = await receiver.fetch(request({ body }));
  expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
  await end();
});

it('bounds the bodies it reads at a time', async () => {
  const { receiver, end } = scene({ maxPendingBytes: 10 });
  expect((await receiver.fetch(request())).status).toBe(429);
  await end();
});

it('takes nothing before a run reads it, or after', async () => {
  expect((await otlpReceiver().fetch(request())).status).toBe(503);
  const { receiver, records, end } = scene();
  await end();
  expect((await receiver.fetch(request())).status).toBe(503);
  expect(records).toEqual([]);
});

it('takes late verdicts as evaluation events of their trace', async () => {
  const { receiver, records, end } = scene();
  const scores = [
    { trace_id: span.traceId.toUpperCase(), name: 'helpful', value: true, reason: 'it was' },
    { conversation_id: 'c', name: 'reward', value: 0.5, time_unix_nano: '7' },
    { name: 'lost', value: 1 },
    { conversation_id: 'c', name: 'reward', value: 2 },
  ];
  const response = await receiver.fetch(request({ path: '/v1/scores', body: JSON.stringify({ scores }) }));
  expect(await response.json()).toEqual({
    accepted: 2,
    rejected: [
      { index: 2, why: expect.stringContaining('trace_id or conversation_id') },
      { index: 3, why: expect.stringContaining('[0, 1]') },
    ],
  });
  const alone = await receiver.fetch(request({ path: '/v1/scores', body: '{"name":"x"}' }));
  expect(alone.status).toBe(400);
  await end();
  expect(records).toMatchObject([
    {
      trace_id: span.traceId,
      event_name: 'gen_ai.evaluation.result',
      time_unix_nano: '1700000000000000000',
      attributes: { 'gen_ai.evaluation.name': 'helpful', 'gen_ai.evaluation.score.value': 1 },
    },
    { time_unix_nano: '7', attributes: { 'gen_ai.conversation.id': 'c', 'tracemill.reward': 0.5 } },
  ]);
});

it('inflates late verdicts as it inflates spans, within the same bound', async () => {
  const { receiver, records, end } = scene({ maxBodyBytes: 2000 });
  const zipped = (text: string) =>
    request({ path: '/v1/scores', headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) });
  const score = JSON.stringify({ trace_id: span.traceId, name: 'helpful', value: 1 });
  const statuses = [];
  for (const text of [score, ' '.repeat(3000)]) statuses.push((await receiver.fetch(zipped(text))).status);
  expect(statuses).toEqual([200, 413]);
  await end();
  expect(records).toMatchObject([{ attributes: { 'gen_ai.evaluation.name': 'helpful' } }]);
});

it('a rejected record held a token whose end was cut off, which no redaction knows', async () => {
  const { receiver, rejections, end } = scene();
  const token = 'sk-ant-api03-abcdefghij1234567890';
  const long = `${'x'.repeat(180)} ${token}`;
  const attributes = [
    { key: 'note', value: { stringValue: long } },
    { key: long, value: { arrayValue: { values: [{ stringValue: long }] } } },
    { key: `${long} too`, value: { kvlistValue: { values: [{ key: long, value: { stringValue: 'short' } }] } } },
  ];
  await receiver.fetch(request({ body: exportOf({ ...span, spanId: '00', name: long, attributes }) }));
  await end();
  expect(rejections).toMatchObject([
    {
      reason: 'invalid_id',
      row: {
        name: '(214 characters)',
        attributes: {
          note: '(214 characters)',
          '(214 characters) #1': ['(214 characters)'],
          '(218 characters) #2': { '(214 characters) #0': 'short' },
        },
      },
    },
  ]);
  expect(JSON.stringify(rejections)).not.toContain('sk-ant');
});
