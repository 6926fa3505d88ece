import { fieldsOf, isObject, type JsonObject, listOf, written } from '../fields.ts';
import { messageType } from './protobuf-messages.ts';

/** 64-bit numbers as decimal text, bytes as base64: what the JSON mapping has, but for the ids. */
const asJson = { longs: String, bytes: String };

/**
 * Decode the protobuf body of an OTLP trace export into the OTLP/JSON shape, ids in hex. About 20 µs a span.
 *
 * @throws Error - the bytes are no such message
 */
export function decodeTraceBody(bytes: Uint8Array): JsonObject {
  const type = messageType('TraceRequest');
  const body = fieldsOf(type.toObject(type.decode(bytes), asJson));
  return {
    ...body,
    resourceSpans: listOf(body['resourceSpans']).map((resource) => ({
      ...fieldsOf(resource),
      scopeSpans: listOf(fieldsOf(resource)['scopeSpans']).map((scope) => ({
        ...fieldsOf(scope),
        spans: listOf(fieldsOf(scope)['spans']).map(withHexIds),
      })),
    })),
  };
}

/** Decode the protobuf body of an OTLP log export in the same way. */
export function decodeLogsBody(bytes: Uint8Array): JsonObject {
  const type = messageType('LogsRequest');
  const body = fieldsOf(type.toObject(type.decode(bytes), asJson));
  return {
    ...body,
    resourceLogs: listOf(body['resourceLogs']).map((resource) => ({
      ...fieldsOf(resource),
      scopeLogs: listOf(fieldsOf(resource)['scopeLogs']).map((scope) => ({
        ...fieldsOf(scope),
        logRecords: listOf(fieldsOf(scope)['logRecords']).map(withHexIds),
      })),
    })),
  };
}

function withHexIds(value: unknown): unknown {
  if (!isObject(value)) return value;
  const named: Record<string, unknown> = { ...value };
  for (const name of ['traceId', 'spanId', 'parentSpanId']) if (name in value) named[name] = hex(value[name]);
  if (Array.isArray(value['links'])) named['links'] = value['links'].map(withHexIds);
  return named;
}

const hex = (base64: unknown) => Buffer.from(written(base64), 'base64').toString('hex');
