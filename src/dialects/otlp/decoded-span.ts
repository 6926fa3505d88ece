import { fieldsOf, isObject, type JsonObject, listOf } from '../fields.ts';
import { attributesOf } from './any-value.ts';
import { nanoseconds } from './nanoseconds.ts';

/** A span as it is stored and sent on: one record, with what it shares with its batch. */
export interface DecodedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly trace_state: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  /** Decimal text: nanoseconds since 1970 exceed what a number holds. */
  readonly start_time_unix_nano: string;
  readonly end_time_unix_nano: string;
  readonly attributes: JsonObject;
  readonly dropped_attributes_count: number;
  readonly events: readonly JsonObject[];
  readonly dropped_events_count: number;
  readonly links: readonly JsonObject[];
  readonly dropped_links_count: number;
  readonly status: { readonly code: number; readonly message: string };
  readonly resource: { readonly attributes: JsonObject; readonly dropped_attributes_count: number };
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: JsonObject };
  readonly schema_url: string;
}

/** The spans of a body that can be kept, and the number of those that cannot. */
export interface DecodedBody {
  readonly spans: readonly DecodedSpan[];
  readonly rejected: number;
}

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);
const codes = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

/**
 * Decode an OTLP/JSON trace body span by span: one whose ids are of a wrong length, or all zero, is counted and the rest
 * kept; an optional field that cannot be read becomes its default. Unknown names are ignored, null is the default.
 *
 * @source OpenTelemetry Protocol 1.11
 */
export function decodedSpans(body: JsonObject): DecodedBody {
  const spans: DecodedSpan[] = [];
  let rejected = 0;
  for (const resource of listOf(body['resourceSpans']).map(fieldsOf))
    for (const scope of listOf(resource['scopeSpans']).map(fieldsOf))
      for (const raw of listOf(scope['spans'])) {
        const span = isObject(raw) ? decodedSpan(raw, resource, scope) : undefined;
        if (span) spans.push(span);
        else rejected++;
      }
  return { spans, rejected };
}

function decodedSpan(span: JsonObject, resource: JsonObject, scope: JsonObject): DecodedSpan | undefined {
  const [trace_id, span_id] = [idOf(span['traceId'], 32), idOf(span['spanId'], 16)];
  if (trace_id === undefined || span_id === undefined) return undefined;
  const shared = fieldsOf(resource['resource']);
  const library = fieldsOf(scope['scope']);
  const status = fieldsOf(span['status']);
  return {
    trace_id,
    span_id,
    parent_span_id: idOf(span['parentSpanId'], 16) ?? null,
    trace_state: text(span['traceState']),
    flags: count(span['flags']),
    name: text(span['name']),
    kind: enumOf(span['kind'], kinds),
    start_time_unix_nano: time(span['startTimeUnixNano']),
    end_time_unix_nano: time(span['endTimeUnixNano']),
    attributes: attributesOf(span['attributes']),
    dropped_attributes_count: count(span['droppedAttributesCount']),
    events: listOf(span['events']).filter(isObject).map(eventOf),
    dropped_events_count: count(span['droppedEventsCount']),
    links: listOf(span['links']).filter(isObject).map(linkOf),
    dropped_links_count: count(span['droppedLinksCount']),
    status: { code: enumOf(status['code'], codes), message: text(status['message']) },
    resource: {
      attributes: attributesOf(shared['attributes']),
      dropped_attributes_count: count(shared['droppedAttributesCount']),
    },
    scope: {
      name: text(library['name']),
      version: text(library['version']),
      attributes: attributesOf(library['attributes']),
    },
    schema_url: text(scope['schemaUrl']) || text(resource['schemaUrl']),
  };
}

const eventOf = (event: JsonObject): JsonObject => ({
  name: text(event['name']),
  time_unix_nano: time(event['timeUnixNano']),
  attributes: attributesOf(event['attributes']),
  dropped_attributes_count: count(event['droppedAttributesCount']),
});

const linkOf = (link: JsonObject): JsonObject => ({
  trace_id: text(link['traceId']).toLowerCase(),
  span_id: text(link['spanId']).toLowerCase(),
  trace_state: text(link['traceState']),
  flags: count(link['flags']),
  attributes: attributesOf(link['attributes']),
  dropped_attributes_count: count(link['droppedAttributesCount']),
});

function idOf(value: unknown, digits: number): string | undefined {
  const id = text(value).toLowerCase();
  return id.length === digits && /^[0-9a-f]+$/.test(id) && /[^0]/.test(id) ? id : undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const time = (value: unknown) => String(nanoseconds(value) ?? 0n);

function count(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

function enumOf(value: unknown, names: readonly string[]): number {
  const at = typeof value === 'string' ? names.indexOf(value) : -1;
  return at >= 0 ? at : count(value);
}
