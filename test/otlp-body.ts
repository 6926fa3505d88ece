import { messageType } from '../src/dialects/otlp/protobuf-messages.ts';
import type { SpanRecord } from './spans.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A value as OTLP writes it. */
function anyValue(value: unknown): Fields {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return value === null ? {} : { kvlistValue: { values: attributes(value as Fields) } };
}
const attributes = (value: unknown) =>
  Object.entries((value ?? {}) as Fields).map(([key, inner]) => ({ key, value: anyValue(inner) }));

function spanOf(span: SpanRecord): Fields {
  return {
    traceId: span['trace_id'],
    spanId: span['span_id'],
    ...(span['parent_span_id'] ? { parentSpanId: span['parent_span_id'] } : {}),
    name: span['name'],
    kind: 1,
    startTimeUnixNano: span['start_time_unix_nano'],
    endTimeUnixNano: span['end_time_unix_nano'],
    attributes: attributes(span['attributes']),
    status: span['status'],
  };
}

const logOf = (log: SpanRecord): Fields => ({
  traceId: log['trace_id'],
  spanId: log['span_id'],
  eventName: log['event_name'],
  timeUnixNano: log['time_unix_nano'],
  attributes: attributes(log['attributes']),
});

/** An export of some records of one kind as JSON, the way a Collector's exporter writes it. */
export function jsonBody(records: readonly SpanRecord[]): Buffer {
  const [first = {}] = records;
  const resource = { attributes: attributes((first['resource'] as Fields | undefined)?.['attributes']) };
  const isLog = 'event_name' in first;
  const body = isLog
    ? { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'test' }, logRecords: records.map(logOf) }] }] }
    : {
        resourceSpans: [
          { resource, scopeSpans: [{ scope: { name: 'test', version: '1' }, spans: records.map(spanOf) }] },
        ],
      };
  return Buffer.from(JSON.stringify(body));
}

/** The same as protobuf. */
export function protobufBody(records: readonly SpanRecord[]): Buffer {
  const type = messageType('event_name' in (records[0] ?? {}) ? 'LogsRequest' : 'TraceRequest');
  const body = JSON.parse(jsonBody(records).toString(), (key, value) =>
    ['traceId', 'spanId', 'parentSpanId'].includes(key) ? Buffer.from(value, 'hex').toString('base64') : value,
  );
  return Buffer.from(type.encode(type.fromObject(body)).finish());
}
