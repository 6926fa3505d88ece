import { bareObject, isObject, type Open } from '../fields.ts';
import type { BodyLimits } from './body-limits.ts';
import { type DecodedLog, type DecodedLogs, sorted } from './decoded-log.ts';
import { type DecodedBody, type DecodedSpan, hasIds, idOf, type Refused, type Shared } from './decoded-span.ts';
import { type ProtoField, type ProtoFields, ProtoReader, wire } from './proto-reader.ts';

/**
 * Decode the protobuf body of a trace export straight to spans: what `decodedSpans` makes of the same export in JSON,
 * without the JSON between. The spans of a scope share one `resource` and one `scope`.
 *
 * @throws RangeError - the bytes are no such message
 * @throws TooMany - they hold more than `limits` allow
 * @source OpenTelemetry Protocol 1.11, trace_service.proto, trace.proto, common.proto
 */
export function spansOfProtobuf(bytes: Uint8Array, limits: BodyLimits = {}): DecodedBody {
  const spans: DecodedSpan[] = [];
  const refused: Refused[] = [];
  for (const span of recordsOf(bytes, limits, readSpan)) {
    if (hasIds(span)) spans.push(span);
    else refused.push({ record: span, reason: 'invalid_id' });
  }
  return { spans, refused };
}

/** Decode the span that the field of a reader holds. */
export const readSpan = (reader: ProtoReader, shared: Shared): DecodedSpan =>
  reader.message(spanFields, newSpan(shared));

/** Decode the protobuf body of a log export in the same way. */
export function logsOfProtobuf(bytes: Uint8Array, limits: BodyLimits = {}): DecodedLogs {
  const all = recordsOf(bytes, limits, (reader, shared) => reader.message(logFields, newLog(shared)));
  return sorted(all.map(finishedLog));
}

export type Attributes = Record<string, unknown>;

/** The records of a body, scope by scope. What they share may be written before or behind them. */
export function recordsOf<T extends { schema_url: string }>(
  bytes: Uint8Array,
  limits: BodyLimits,
  read: (reader: ProtoReader, shared: Shared) => T,
): T[] {
  const records: T[] = [];
  const body = new ProtoReader(bytes, 0, limits);
  const scopeFields: ProtoFields<Scope<T>> = {
    1: [wire.bytes, (reader, { shared }) => reader.message(libraryFields, shared.scope as OpenLibrary)],
    2: [
      wire.bytes,
      (reader, scope) => {
        reader.tally?.spans();
        scope.records.push(read(reader, scope.shared));
      },
    ],
    3: text('schema'),
  };
  const resourceFields: ProtoFields<Sender<T>> = {
    1: [wire.bytes, (reader, { resource }) => reader.message(senderFields, resource)],
    2: [
      wire.bytes,
      (reader, sender) => {
        reader.tally?.groups();
        sender.scopes.push(reader.message(scopeFields, newScope(sender.resource)));
      },
    ],
    3: text('schema'),
  };
  const readBody: ProtoFields<undefined> = {
    1: [
      wire.bytes,
      (reader) => {
        reader.tally?.groups();
        const { scopes, schema } = reader.message(resourceFields, newSender<T>());
        for (const scope of scopes)
          for (const record of scope.records) {
            record.schema_url = scope.schema || schema;
            records.push(record);
          }
      },
    ],
  };
  body.fill(readBody, undefined);
  return records;
}

interface Sender<T> {
  readonly resource: OpenResource;
  readonly scopes: Scope<T>[];
  schema: string;
}
interface Scope<T> {
  readonly shared: Shared;
  readonly records: T[];
  schema: string;
}
type OpenResource = { attributes: Attributes; dropped_attributes_count: number };
type OpenLibrary = { name: string; version: string; attributes: Attributes };

const newSender = <T>(): Sender<T> => ({
  resource: { attributes: bareObject(), dropped_attributes_count: 0 },
  scopes: [],
  schema: '',
});
const newScope = <T>(resource: OpenResource): Scope<T> => ({
  shared: { resource, scope: { name: '', version: '', attributes: bareObject() }, schema_url: '' },
  records: [],
  schema: '',
});

/** A field that goes to the member `name`. Its table sees to it that there is such a member. */
export const put = <K extends string, V>(
  kind: number,
  name: K,
  read: (reader: ProtoReader) => V,
): ProtoField<{ [P in K]: V }> => [
  kind,
  (reader, target) => {
    target[name] = read(reader);
  },
];
const text = <K extends string>(name: K) => put(wire.bytes, name, (reader) => reader.text());
const hex = <K extends string>(name: K) => put(wire.bytes, name, (reader) => reader.encoded('hex'));
const uint32 = <K extends string>(name: K) => put(wire.varint, name, (reader) => reader.uint32());
const int32 = <K extends string>(name: K) => put(wire.varint, name, (reader) => reader.int32());
const fixed64 = <K extends string>(name: K) => put(wire.fixed64, name, (reader) => String(reader.fixed64()));
const fixed32 = <K extends string>(name: K) => put(wire.fixed32, name, (reader) => reader.fixed32());

const senderFields: ProtoFields<OpenResource> = {
  1: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  2: uint32('dropped_attributes_count'),
};
const libraryFields: ProtoFields<OpenLibrary> = {
  1: text('name'),
  2: text('version'),
  3: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
};

type OpenEvent = { name: string; time_unix_nano: string; attributes: Attributes; dropped_attributes_count: number };
const newEvent = (): OpenEvent => ({
  name: '',
  time_unix_nano: '0',
  attributes: bareObject(),
  dropped_attributes_count: 0,
});
const eventFields: ProtoFields<OpenEvent> = {
  1: fixed64('time_unix_nano'),
  2: text('name'),
  3: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  4: uint32('dropped_attributes_count'),
};

const newLink = () => ({
  ...{ trace_id: '', span_id: '', trace_state: '', flags: 0, attributes: bareObject(), dropped_attributes_count: 0 },
});
const linkFields: ProtoFields<ReturnType<typeof newLink>> = {
  1: hex('trace_id'),
  2: hex('span_id'),
  3: text('trace_state'),
  4: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  5: uint32('dropped_attributes_count'),
  6: fixed32('flags'),
};

const statusFields: ProtoFields<Open<DecodedSpan['status']>> = {
  2: text('message'),
  3: int32('code'),
};

interface OpenSpan extends Open<Omit<DecodedSpan, 'attributes' | 'events' | 'links'>> {
  readonly attributes: Attributes;
  events: OpenEvent[];
  links: ReturnType<typeof newLink>[];
}

/** Most spans have nothing of these. What is not there takes no memory while a span waits for the others. */
export const none: never[] = [];
const unset: DecodedSpan['status'] = Object.freeze({ code: 0, message: '' });
Object.freeze(none);

export function added<T>(list: T[], one: T): T[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}

function statusOf(reader: ProtoReader, before: DecodedSpan['status']): DecodedSpan['status'] {
  const status = reader.message(statusFields, { ...before });
  return status.code === 0 && status.message === '' ? unset : status;
}
const newSpan = (shared: Shared): OpenSpan => ({
  trace_id: '',
  span_id: '',
  parent_span_id: null,
  trace_state: '',
  flags: 0,
  name: '',
  kind: 0,
  start_time_unix_nano: '0',
  end_time_unix_nano: '0',
  attributes: bareObject(),
  dropped_attributes_count: 0,
  events: none,
  dropped_events_count: 0,
  links: none,
  dropped_links_count: 0,
  status: unset,
  resource: shared.resource,
  scope: shared.scope,
  schema_url: shared.schema_url,
});
const spanFields: ProtoFields<OpenSpan> = {
  1: hex('trace_id'),
  2: hex('span_id'),
  3: text('trace_state'),
  4: put(wire.bytes, 'parent_span_id', (reader) => idOf(reader.encoded('hex'), 16) ?? null),
  5: put(wire.bytes, 'name', (reader) => reader.word()),
  6: int32('kind'),
  7: fixed64('start_time_unix_nano'),
  8: fixed64('end_time_unix_nano'),
  9: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  10: uint32('dropped_attributes_count'),
  11: [
    wire.bytes,
    (reader, span) => {
      reader.tally?.events();
      span.events = added(span.events, reader.message(eventFields, newEvent()));
    },
  ],
  12: uint32('dropped_events_count'),
  13: [
    wire.bytes,
    (reader, span) => {
      reader.tally?.events();
      span.links = added(span.links, reader.message(linkFields, newLink()));
    },
  ],
  14: uint32('dropped_links_count'),
  15: [
    wire.bytes,
    (reader, span) => {
      span.status = statusOf(reader, span.status);
    },
  ],
  16: fixed32('flags'),
};

interface OpenLog extends Open<DecodedLog> {
  readonly attributes: Attributes;
  observed: string;
}
const newLog = (shared: Shared): OpenLog => ({
  trace_id: '',
  span_id: null,
  event_name: '',
  time_unix_nano: '0',
  attributes: bareObject(),
  body: null,
  observed: '0',
  ...shared,
});
const logFields: ProtoFields<OpenLog> = {
  1: fixed64('time_unix_nano'),
  5: [
    wire.bytes,
    (reader, log) => {
      log.body = readValue(reader, log.body);
    },
  ],
  6: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  9: put(wire.bytes, 'trace_id', (reader) => idOf(reader.encoded('hex'), 32) ?? ''),
  10: put(wire.bytes, 'span_id', (reader) => idOf(reader.encoded('hex'), 16) ?? null),
  11: fixed64('observed'),
  12: text('event_name'),
};

function finishedLog({ observed, ...log }: OpenLog): DecodedLog {
  const named = log.attributes['event.name'];
  return {
    ...log,
    event_name: log.event_name || (typeof named === 'string' ? named : ''),
    time_unix_nano: log.time_unix_nano === '0' ? observed : log.time_unix_nano,
  };
}

interface Held {
  key: string;
  value: unknown;
}
const held = (kind: number, read: (reader: ProtoReader) => unknown) => put(kind, 'value', read);
const valueFields: ProtoFields<Held> = {
  1: [
    wire.bytes,
    (reader, held) => {
      held.value = reader.word();
    },
  ],
  2: held(wire.varint, (reader) => reader.bool()),
  3: held(wire.varint, (reader) => reader.int64()),
  4: held(wire.fixed64, (reader) => reader.double()),
  // of a list, or an object, that comes again both are one; of anything else the last stands
  5: [
    wire.bytes,
    (reader, held) => {
      held.value = reader.message(listFields, Array.isArray(held.value) ? held.value : []);
    },
  ],
  6: [
    wire.bytes,
    (reader, held) => {
      held.value = reader.message(objectFields, isObject(held.value) ? (held.value as Attributes) : bareObject());
    },
  ],
  7: held(wire.bytes, (reader) => reader.encoded('base64')),
};
const listFields: ProtoFields<unknown[]> = { 1: [wire.bytes, (reader, list) => list.push(readValue(reader))] };
const objectFields: ProtoFields<Attributes> = { 1: [wire.bytes, (reader, object) => readAttribute(reader, object)] };
const entryFields: ProtoFields<Held> = {
  1: [
    wire.bytes,
    (reader, held) => {
      held.key = reader.word();
    },
  ],
  2: [wire.bytes, (reader, held) => reader.message(valueFields, held)],
};

const readValue = (reader: ProtoReader, value: unknown = null): unknown =>
  reader.message(valueFields, { key: '', value }).value;

/** Of a repeated key the last wins. */
export function readAttribute(reader: ProtoReader, attributes: Attributes): void {
  if (reader.plainEntry(attributes)) return;
  const { key, value } = reader.message(entryFields, { key: '', value: null });
  attributes[key] = value;
}
