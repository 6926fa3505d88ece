import { expect, it } from 'vitest';
import { decodedLogs } from '../../../src/dialects/otlp/decoded-log.ts';
import { decodedSpans } from '../../../src/dialects/otlp/decoded-span.ts';
import { eventOfLog, viewOfSpan } from '../../../src/dialects/otlp/record-view.ts';
import { spansOf } from '../../../src/dialects/otlp/span-view.ts';

const attributes = [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }];
const span = {
  ...{ traceId: 'AB'.repeat(16), spanId: 'cd'.repeat(8), parentSpanId: 'ef'.repeat(8), name: 'chat', attributes },
  ...{ startTimeUnixNano: '1700000000000000001', endTimeUnixNano: '1700000000000000002' },
  events: [{ name: 'gen_ai.choice', timeUnixNano: '1700000000000000002', attributes }],
  status: { code: 2, message: 'no' },
};

it('shows a decoded span as the span itself is seen', () => {
  const raw = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  expect(decodedSpans(raw).spans.map(viewOfSpan)).toEqual(spansOf(raw));
});

it('shows a log record as the event of a span', () => {
  const log = {
    traceId: span.traceId,
    eventName: 'gen_ai.choice',
    timeUnixNano: '7',
    body: { stringValue: 'hi' },
    attributes,
  };
  const { logs } = decodedLogs({ resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] });
  expect(logs.map(eventOfLog)).toEqual([
    { name: 'gen_ai.choice', time: 7n, attributes: { 'gen_ai.operation.name': 'chat' }, body: 'hi' },
  ]);
});
