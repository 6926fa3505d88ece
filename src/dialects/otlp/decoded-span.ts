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
  readonly events: readonly DecodedEvent[];
  readonly dropped_events_count: number;
  readonly links: readonly JsonObject[];
  readonly dropped_links_count: number;
  readonly status: { readonly code: number; readonly message: string };
  readonly resource: { readonly attributes: JsonObject; readonly dropped_attributes_count: number };
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: JsonObject };
  readonly schema_url: string;
}

/** An event of a span. */
export interface DecodedEvent {
  readonly name: string;
  readonly time_unix_nano: string;
  readonly attributes: JsonObject;
  readonly dropped_attributes_count: number;
}

/** What cannot be kept, decoded as far as it can be. */
export interface Refused {
  readonly record: unknown;
  /** `invalid_id`: a trace or span id of a wrong length, or all zero. `no_trace`: a log record that names no trace. */
  readonly reason: 'invalid_id' | 'no_trace';
}

/** The spans of a body that can be kept, and those that cannot. */
export interface DecodedBody<Span = DecodedSpan> {
  readonly spans: readonly Span[];
  readonly refused: readonly Refused[];
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
  const refused: Refused[] = [];
  for (const resource of listOf(body['resourceSpans']).map(fieldsOf))
    for (const scope of listOf(resource['scopeSpans']).map(fieldsOf)) {
      const shared = sharedOf(resource, scope);
      for (const raw of listOf(scope['spans'])) {
        const span = isObject(raw) ? decodedSpan(raw, shared) : undefined;
        if (span && hasIds(span)) spans.push(span);
        else refused.push({ record: span ?? raw, reason: 'invalid_id' });
      }
    }
  return { spans, refused };
}

/** What the records of one scope share: who sent them, and what made them. */
export type Shared = Pick<DecodedSpan, 'resource' | 'scope' | 'schema_url'>;

/** Read what the records of one scope of an OTLP/JSON body share. */
export function sharedOf(resource: JsonObject, scope: JsonObject): Shared {
  const sender = fieldsOf(resource['resource']);
  const library = fieldsOf(scope['scope']);
  return {
    resource: {
      attributes: attributesOf(sender['attributes']),
      dropped_attributes_count: count(sender['droppedAttributesCount']),
    },
    scope: {
      name: text(library['name']),
      version: text(library['version']),
      attributes: attributesOf(library['attributes']),
    },
    schema_url: text(scope['schemaUrl']) || text(resource['schemaUrl']),
  };
}

/** Tell whether both ids of a span are of the right length, and not all zero. */
export const hasIds = ({ trace_id, span_id }: Pick<DecodedSpan, 'trace_id' | 'span_id'>): boolean =>
  idOf(trace_id, 32) !== undefined && idOf(span_id, 16) !== undefined;

function decodedSpan(span: JsonObject, shared: Shared): DecodedSpan {
  const status = fieldsOf(span['status']);
  return {
    trace_id: text(span['traceId']).toLowerCase(),
    span_id: text(span['spanId']).toLowerCase(),
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
    ...shared,
  };
}

const eventOf = (event: JsonObject): DecodedEvent => ({
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

/** Read an id of a number of hex digits, in lower case; undefined when it is none, or all zero. */
export function idOf(value: unknown, digits: number): string | undefined {
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
