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

it('hands on the body of a log export', () => {
  const logs = Buffer.from('{"resourceLogs":[]}');
  expect(send(logs, {}, '/v1/logs')).toEqual({ status: 200, rejected_spans: 0, spans: [], logs: { resourceLogs: [] } });
});
