import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../fields.ts';
import { type DecodedLog, isLog, type OtlpRecord } from './decoded-log.ts';
import type { DecodedSpan, Shared } from './decoded-span.ts';

/**
 * Write decoded records as exports in OTLP/JSON, the inverse of the decoder: spans in one, log records in another, what they
 * share once. What a value was written as is not kept: bytes, and integers that no number holds, are texts.
 *
 * @source OpenTelemetry Protocol 1.11 and its JSON mapping
 */
export function exportsOf(records: readonly OtlpRecord[]): readonly string[] {
  const spans = records.filter((record): record is DecodedSpan => !isLog(record));
  const logs = records.filter(isLog);
  return [
    ...(spans.length > 0
      ? [
          stringifyJson({
            resourceSpans: shared(spans, (scope, inside) => ({
              scopeSpans: [{ ...scope, spans: inside.map(spanOf) }],
            })),
          }),
        ]
      : []),
    ...(logs.length > 0
      ? [
          stringifyJson({
            resourceLogs: shared(logs, (scope, inside) => ({
              scopeLogs: [{ ...scope, logRecords: inside.map(logOf) }],
            })),
          }),
        ]
      : []),
  ];
}

/** The records by what they share, which those of one request have in one object. */
function shared<T extends Shared>(
  records: readonly T[],
  write: (scope: JsonObject, inside: readonly T[]) => JsonObject,
): readonly JsonObject[] {
  const groups = new Map<unknown, Map<unknown, T[]>>();
  for (const record of records) {
    const scopes = groups.get(record.resource) ?? new Map<unknown, T[]>();
    groups.set(record.resource, scopes);
    const inside = scopes.get(record.scope);
    if (inside) inside.push(record);
    else scopes.set(record.scope, [record]);
  }
  return [...groups.values()].flatMap((scopes) =>
    [...scopes.values()].flatMap((inside) => {
      const [first] = inside;
      if (!first) return [];
      const { resource, scope, schema_url } = first;
      const library = { name: scope.name, version: scope.version, attributes: attributesOf(scope.attributes) };
      const sender = {
        attributes: attributesOf(resource.attributes),
        droppedAttributesCount: resource.dropped_attributes_count,
      };
      return [{ resource: sender, ...write({ scope: library, schemaUrl: schema_url }, inside) }];
    }),
  );
}

const spanOf = (span: DecodedSpan): JsonObject => ({
  traceId: span.trace_id,
  spanId: span.span_id,
  ...(span.parent_span_id !== null && { parentSpanId: span.parent_span_id }),
  traceState: span.trace_state,
  flags: span.flags,
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: span.start_time_unix_nano,
  endTimeUnixNano: span.end_time_unix_nano,
  attributes: attributesOf(span.attributes),
  droppedAttributesCount: span.dropped_attributes_count,
  events: span.events.map(({ name, time_unix_nano, attributes, dropped_attributes_count }) => ({
    name,
    timeUnixNano: time_unix_nano,
    attributes: attributesOf(attributes),
    droppedAttributesCount: dropped_attributes_count,
  })),
  droppedEventsCount: span.dropped_events_count,
  links: span.links.map(({ trace_id, span_id, trace_state, flags, attributes, dropped_attributes_count }) => ({
    ...{ traceId: trace_id, spanId: span_id, traceState: trace_state, flags },
    attributes: isObject(attributes) ? attributesOf(attributes) : [],
    droppedAttributesCount: dropped_attributes_count,
  })),
  droppedLinksCount: span.dropped_links_count,
  status: span.status,
});

const logOf = (log: DecodedLog): JsonObject => ({
  ...(log.trace_id !== '' && { traceId: log.trace_id }),
  ...(log.span_id !== null && { spanId: log.span_id }),
  eventName: log.event_name,
  timeUnixNano: log.time_unix_nano,
  attributes: attributesOf(log.attributes),
  ...(log.body !== null && { body: anyValueOf(log.body) }),
});

const attributesOf = (attributes: JsonObject): readonly JsonObject[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));

function anyValueOf(value: unknown): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValueOf) } };
  return isObject(value) ? { kvlistValue: { values: attributesOf(value) } } : {};
}

/** JSON has no number that is none: the mapping writes those as texts. */
const numberOf = (value: number): JsonObject =>
  Number.isSafeInteger(value) && !Object.is(value, -0)
    ? { intValue: String(value) }
    : { doubleValue: Number.isFinite(value) ? value : String(value) };
