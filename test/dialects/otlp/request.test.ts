import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeOtlpRequest } from '../../../src/dialects/otlp/request.ts';

const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'one' };
const body = (...spans: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
const send = (bytes: Uint8Array, headers: Record<string, string> = {}, path = '/v1/traces') =>
  decodeOtlpRequest({ method: 'POST', path, headers: { 'Content-Type': 'application/json', ...headers }, body: bytes });

it('keeps the good spans of a batch with bad ones, and counts those', () => {
  const bad = [null, { ...span, traceId: '00'.repeat(16) }, { ...span, spanId: 'cd' }];
  expect(send(body(span, ...bad))).toMatchObject({ status: 200, rejected_spans: 3, spans: [{ name: 'one' }] });
});

it('reads gzip and deflate, and the name of a header in any case', () => {
  expect(send(gzipSync(body(span)), { 'CONTENT-ENCODING': 'gzip' }).spans).toHaveLength(1);
  expect(send(deflateSync(body(span)), { 'content-encoding': 'deflate' }).spans).toHaveLength(1);
});

it('reads log records, and refuses those that belong to nothing', () => {
  const record = { traceId: span.traceId, spanId: span.spanId, eventName: 'gen_ai.choice', timeUnixNano: '7' };
  const said = { body: { kvlistValue: { values: [{ key: 'index', value: { intValue: '0' } }] } } };
  const talk = { attributes: [{ key: 'session.id', value: { stringValue: 's' } }], observedTimeUnixNano: '9' };
  const records = [{ ...record, ...said }, talk, { body: { stringValue: 'listening on 80' } }];
  const bytes = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }));
  const { logs, refused, rejected_spans } = send(bytes, {}, '/v1/logs');
  expect(logs).toMatchObject([
    {
      trace_id: span.traceId,
      span_id: span.spanId,
      event_name: 'gen_ai.choice',
      time_unix_nano: '7',
      body: { index: 0 },
    },
    { trace_id: '', span_id: null, event_name: '', time_unix_nano: '9', body: null },
  ]);
  expect(rejected_spans).toBe(1);
  expect(refused).toMatchObject([{ record: { body: 'listening on 80', trace_id: '' }, reason: 'no_trace' }]);
});
