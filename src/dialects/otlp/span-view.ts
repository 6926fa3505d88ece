import { canonicalJson } from '../../core/canonical-json.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, textOf, written } from '../fields.ts';
import { anyValue, attributesOf } from './any-value.ts';
import { nanoseconds, ofMilliseconds } from './nanoseconds.ts';

/** Something that happened during a span: a span event, or a log record with the span's id. */
export interface SpanEvent {
  readonly name: string;
  readonly time: bigint | undefined;
  readonly attributes: JsonObject;
  readonly body: unknown;
}

/** A span as the readers of dialects see it, whatever it was written as. */
export interface SpanView {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  readonly failed: boolean;
  readonly statusMessage: string;
  /** Position of arrival: it decides where times are equal or absent. */
  readonly order: number;
}

/** The event that tells a verdict. @source OpenTelemetry GenAI conventions */
export const evaluationEvent = 'gen_ai.evaluation.result';

/** A verdict on what its span or trace did. */
export const isEvaluation = ({ name }: SpanEvent): boolean => name === evaluationEvent;

const failures = new Set<unknown>([2, '2', 'STATUS_CODE_ERROR', 'ERROR', 'Error', 'error']);

/**
 * Read spans from anything that carries some: OTLP/JSON trace and log bodies (also the old
 * `instrumentationLibrarySpans`), lists of bodies, `{spans: [...]}`, and lists of flat spans. Log records join the span
 * they name, or stand for it when it is not there. A span seen twice (trace and span id) counts once: the copy that says
 * more is kept.
 */
export function spansOf(source: unknown): SpanView[] {
  const raw: JsonObject[] = [];
  const logs: JsonObject[] = [];
  collect(source, raw, logs);
  const spans = new Map<string, SpanView>();
  for (const [order, span] of raw.entries()) {
    const view = spanView(span, order);
    const key = view.spanId === '' ? `#${order}` : `${view.traceId}/${view.spanId}`;
    const seen = spans.get(key);
    spans.set(key, seen ? mergedSpan(seen, view) : view);
  }
  return [...withLogs(spans, logs).values()];
}

/** Of two copies of a span, the one that says more, in the place of the first. */
export const mergedSpan = (seen: SpanView, again: SpanView): SpanView =>
  weight(again) > weight(seen) ? { ...again, order: seen.order } : seen;
const weight = (view: SpanView) => Object.keys(view.attributes).length + view.events.length;

function collect(source: unknown, spans: JsonObject[], logs: JsonObject[]): void {
  for (const one of Array.isArray(source) ? source : [source]) {
    if (Array.isArray(one)) collect(one, spans, logs);
    else if (isObject(one)) collectBody(one, spans, logs);
  }
}

function collectBody(body: JsonObject, spans: JsonObject[], logs: JsonObject[]): void {
  const traced = scopes(body, ['resourceSpans', 'resource_spans'], spanScopes);
  const logged = scopes(body, ['resourceLogs', 'resource_logs'], logScopes);
  spans.push(...traced.flatMap((scope) => listOf(scope['spans']).filter(isObject)));
  logs.push(...logged.flatMap((scope) => listOf(firstOf(scope, ['logRecords', 'log_records'])).filter(isObject)));
  if (traced.length > 0 || logged.length > 0) return;
  if (Array.isArray(body['spans'])) spans.push(...body['spans'].filter(isObject));
  else if ('attributes' in body && ('name' in body || 'traceId' in body || 'trace_id' in body)) spans.push(body);
}

const spanScopes = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'];
const logScopes = ['scopeLogs', 'scope_logs', 'instrumentationLibraryLogs'];

function scopes(body: JsonObject, resources: readonly string[], names: readonly string[]): JsonObject[] {
  return listOf(firstOf(body, resources)).flatMap((resource) =>
    names.flatMap((name) => listOf(fieldsOf(resource)[name]).filter(isObject)),
  );
}

/** Read one span, raw or decoded; `order` is its place of arrival. */
export function spanView(span: JsonObject, order: number): SpanView {
  const context = fieldsOf(firstOf(span, ['spanContext', 'context', '_spanContext']));
  const parent = fieldsOf(firstOf(span, ['parentSpanContext', 'parent']));
  const ids = { ...span, ...context };
  const status = fieldsOf(span['status']);
  return {
    traceId: idOf(firstOf(ids, ['traceId', 'trace_id'])),
    spanId: idOf(firstOf(ids, ['spanId', 'span_id'])),
    parentId: idOf(
      firstOf(span, ['parentSpanId', 'parent_span_id', 'parent_id']) ?? parent['spanId'] ?? parent['span_id'],
    ),
    name: written(span['name'] ?? ''),
    start: timeOf(span, ['startTimeUnixNano', 'start_time_unix_nano', 'startTime', 'start_time'], startMillis),
    end: timeOf(span, ['endTimeUnixNano', 'end_time_unix_nano', 'endTime', 'end_time'], endMillis),
    attributes: attributesOf(span['attributes']),
    events: listOf(span['events']).flatMap((event) => (isObject(event) ? [eventOf(event)] : [])),
    failed: failures.has(firstOf(status, ['code', 'status_code']) ?? span['status']),
    statusMessage: textOf(firstOf(status, ['message', 'description'])) ?? '',
    order,
  };
}

const startMillis = ['startedMs', 'started_ms', 'startTimeMs'];
const endMillis = ['endedMs', 'ended_ms', 'endTimeMs'];

function timeOf(span: JsonObject, names: readonly string[], millis: readonly string[]): bigint | undefined {
  return nanoseconds(firstOf(span, names)) ?? ofMilliseconds(firstOf(span, millis));
}

/** An id as lower-case hex: from hex, from the base64 of its 8 or 16 bytes, else as it is. */
function idOf(value: unknown): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : written(value);
  const text = value.replace(/^0x/i, '');
  if (/^[0-9a-f]+$/i.test(text)) return text.toLowerCase();
  if (/^[A-Za-z0-9+/]{11}=$|^[A-Za-z0-9+/]{22}==$/.test(text)) return Buffer.from(text, 'base64').toString('hex');
  return value;
}

function eventOf(event: JsonObject): SpanEvent {
  const attributes = attributesOf(event['attributes']);
  const body = event['body'];
  const named = textOf(attributes['event.name']) ?? textOf(firstOf(event, ['eventName', 'event_name', 'name']));
  return {
    name: named ?? '',
    time: timeOf(event, ['timeUnixNano', 'time_unix_nano', 'observedTimeUnixNano', 'time', 'timestamp'], []),
    attributes,
    body: body === undefined ? undefined : anyValue(body),
  };
}

function withLogs(spans: ReadonlyMap<string, SpanView>, logs: readonly JsonObject[]): ReadonlyMap<string, SpanView> {
  const joined = new Map(spans);
  const seen = new Set<string>();
  for (const [n, log] of logs.entries()) {
    if (seen.size === seen.add(canonicalJson(log)).size) continue; // sent twice
    const traceId = idOf(firstOf(log, ['traceId', 'trace_id']));
    const spanId = idOf(firstOf(log, ['spanId', 'span_id']));
    const event = eventOf(log);
    const key = spanId === '' ? `${traceId}/log` : `${traceId}/${spanId}`;
    const span = joined.get(key) ?? {
      ...{ traceId, spanId, parentId: '', name: '', start: event.time, end: event.time, attributes: {}, events: [] },
      ...{ failed: false, statusMessage: '', order: spans.size + n },
    };
    joined.set(key, { ...span, events: inOrder([...span.events, event]) });
  }
  return joined;
}

/** Add events to a span. */
export const withEvents = (span: SpanView, events: readonly SpanEvent[]): SpanView =>
  events.length === 0 ? span : { ...span, events: inOrder([...span.events, ...events]) };

/** Events by time; one without a time stays where it is. */
const inOrder = (events: readonly SpanEvent[]) =>
  [...events].sort((a, b) =>
    a.time === undefined || b.time === undefined ? 0 : a.time < b.time ? -1 : a.time > b.time ? 1 : 0,
  );
