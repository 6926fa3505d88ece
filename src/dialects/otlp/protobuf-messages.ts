import protobuf from 'protobufjs/light.js';

type Field = Readonly<{ type: string; id: number; rule?: 'repeated' }>;
const one = (type: string, id: number): Field => ({ type, id });
const many = (type: string, id: number): Field => ({ type, id, rule: 'repeated' });
const resource = { attributes: many('KeyValue', 1), droppedAttributesCount: one('uint32', 2) };
const attributes = (id: number) => ({
  attributes: many('KeyValue', id),
  droppedAttributesCount: one('uint32', id + 1),
});

/**
 * The messages of an OTLP trace and log export and of their answers, by the field numbers of the protocol, under the
 * names of its JSON mapping: what is decoded has the OTLP/JSON shape.
 *
 * @source OpenTelemetry Protocol 1.11, trace_service.proto, logs_service.proto, trace.proto, logs.proto, common.proto
 */
const messages: Readonly<Record<string, { readonly fields: Readonly<Record<string, Field>> }>> = {
  TraceRequest: { fields: { resourceSpans: many('ResourceSpans', 1) } },
  ResourceSpans: {
    fields: { resource: one('Resource', 1), scopeSpans: many('ScopeSpans', 2), schemaUrl: one('string', 3) },
  },
  Resource: { fields: resource },
  ScopeSpans: { fields: { scope: one('Scope', 1), spans: many('Span', 2), schemaUrl: one('string', 3) } },
  Scope: { fields: { name: one('string', 1), version: one('string', 2), ...attributes(3) } },
  Span: {
    fields: {
      traceId: one('bytes', 1),
      spanId: one('bytes', 2),
      traceState: one('string', 3),
      parentSpanId: one('bytes', 4),
      name: one('string', 5),
      kind: one('int32', 6),
      startTimeUnixNano: one('fixed64', 7),
      endTimeUnixNano: one('fixed64', 8),
      ...attributes(9),
      events: many('Event', 11),
      droppedEventsCount: one('uint32', 12),
      links: many('Link', 13),
      droppedLinksCount: one('uint32', 14),
      status: one('Status', 15),
      flags: one('fixed32', 16),
    },
  },
  Event: { fields: { timeUnixNano: one('fixed64', 1), name: one('string', 2), ...attributes(3) } },
  Link: {
    fields: {
      traceId: one('bytes', 1),
      spanId: one('bytes', 2),
      traceState: one('string', 3),
      ...attributes(4),
      flags: one('fixed32', 6),
    },
  },
  Status: { fields: { message: one('string', 2), code: one('int32', 3) } },
  KeyValue: { fields: { key: one('string', 1), value: one('AnyValue', 2) } },
  ArrayValue: { fields: { values: many('AnyValue', 1) } },
  KeyValueList: { fields: { values: many('KeyValue', 1) } },
  LogsRequest: { fields: { resourceLogs: many('ResourceLogs', 1) } },
  ResourceLogs: {
    fields: { resource: one('Resource', 1), scopeLogs: many('ScopeLogs', 2), schemaUrl: one('string', 3) },
  },
  ScopeLogs: { fields: { scope: one('Scope', 1), logRecords: many('LogRecord', 2), schemaUrl: one('string', 3) } },
  LogRecord: {
    fields: {
      timeUnixNano: one('fixed64', 1),
      severityNumber: one('int32', 2),
      severityText: one('string', 3),
      body: one('AnyValue', 5),
      ...attributes(6),
      flags: one('fixed32', 8),
      traceId: one('bytes', 9),
      spanId: one('bytes', 10),
      observedTimeUnixNano: one('fixed64', 11),
      eventName: one('string', 12),
    },
  },
  TraceResponse: { fields: { partialSuccess: one('PartialSuccess', 1) } },
  PartialSuccess: { fields: { rejectedSpans: one('int64', 1), errorMessage: one('string', 2) } },
  RpcStatus: { fields: { code: one('int32', 1), message: one('string', 2) } },
};

const anyValue = {
  stringValue: one('string', 1),
  boolValue: one('bool', 2),
  intValue: one('int64', 3),
  doubleValue: one('double', 4),
  arrayValue: one('ArrayValue', 5),
  kvlistValue: one('KeyValueList', 6),
  bytesValue: one('bytes', 7),
};

const root = protobuf.Root.fromJSON({
  nested: { ...messages, AnyValue: { oneofs: { value: { oneof: Object.keys(anyValue) } }, fields: anyValue } },
});

/** A message by the name it has above. */
export const messageType = (name: string): protobuf.Type => root.lookupType(name);
