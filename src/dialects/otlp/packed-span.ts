import { bareObject, type Open } from '../fields.ts';
import type { BodyLimits } from './body-limits.ts';
import type { DecodedBody, DecodedSpan, Refused, Shared } from './decoded-span.ts';
import { ByteWords, type ProtoField, type ProtoFields, ProtoReader, type ProtoShape, wire } from './proto-reader.ts';
import { type Attributes, added, none, put, readAttribute, readSpan, recordsOf } from './read-protobuf.ts';
import { conversationIn, conversationKeys } from './span-group.ts';
import type { SpanEvent, SpanView } from './span-view.ts';

/**
 * A span that waits for the others of its session: the bytes it came as, and what it is known by. It is read when the
 * session is told: what waits as objects takes thrice the memory, and the time to move it from one generation of the heap
 * to the next.
 */
export class PackedSpan implements Shared {
  trace_id = '';
  span_id = '';
  /** The conversation that it names. */
  conversation: string | undefined = undefined;
  /** When it ended, in ms since 1970; 0 where it does not say. */
  endMs = 0;
  /** Its sender left out what was too much. */
  isCut = false;
  schema_url = '';
  readonly resource: Shared['resource'];
  readonly scope: Shared['scope'];
  /** It stands in `page` from its length on. */
  page: Uint8Array;
  from = 0;
  end = 0;

  constructor(page: Uint8Array, { resource, scope }: Shared) {
    this.page = page;
    this.resource = resource;
    this.scope = scope;
  }

  /** Bytes of it. */
  get size(): number {
    return this.end - this.from;
  }

  /** The span as it is decoded. */
  opened(): DecodedSpan {
    return readSpan(new ProtoReader(this.page, this.from), this);
  }

  /** The span as the readers of dialects see it: what `viewOfSpan` makes of `opened`. */
  view(): SpanView {
    const { trace_id: traceId, span_id: spanId } = this;
    // written out: a spread of so many fields costs more than to read the span
    return new ProtoReader(this.page, this.from).message(viewFields, {
      traceId,
      spanId,
      parentId: '',
      name: '',
      start: undefined,
      end: undefined,
      attributes: bareObject(),
      events: none,
      failed: false,
      statusMessage: '',
      order: 0,
    });
  }

  /** Whether another says the same for certain. */
  isCopyOf(other: PackedSpan): boolean {
    return (
      this.resource === other.resource &&
      Buffer.compare(this.page.subarray(this.from, this.end), other.page.subarray(other.from, other.end)) === 0
    );
  }
}

/**
 * Take the spans out of the protobuf body of a trace export as their bytes. All of it is gone over: what cannot be read is
 * found here, and `opened` of a span does not throw.
 *
 * @throws RangeError - the bytes are no such message
 * @throws TooMany - they hold more than `limits` allow
 */
export function packedSpansOf(bytes: Uint8Array, limits: BodyLimits = {}): DecodedBody<PackedSpan> {
  const spans: PackedSpan[] = [];
  const refused: Refused[] = [];
  const all = recordsOf(bytes, limits, (reader, shared) => {
    const label: Label = { span: new PackedSpan(bytes, shared), named: undefined };
    const { span } = label;
    span.from = reader.at;
    reader.message(labelFields, label);
    span.end = reader.at;
    if (label.named) span.conversation = conversationIn(label.named);
    return span;
  });
  for (const span of all) {
    if (span.trace_id !== '' && span.span_id !== '') spans.push(span);
    else refused.push({ record: span.opened(), reason: 'invalid_id' });
  }
  movedToPages(bytes, spans);
  return { spans, refused };
}

/** Spans that came together are let go together, as many bytes of them: the last of them holds no more. */
const pageBytes = 8192;

/** Give the spans of a body pages of their own: one that waits for long must not hold the whole body. */
function movedToPages(bytes: Uint8Array, spans: readonly PackedSpan[]): void {
  let page = bytes;
  let start = 0;
  let end = 0;
  for (const [n, span] of spans.entries()) {
    if (span.end > end) {
      start = span.from;
      end = span.end;
      for (let next = n + 1; next < spans.length; next++) {
        const more = (spans[next] as PackedSpan).end; // below the number of them
        if (more - start > pageBytes) break;
        end = more;
      }
      page = Buffer.from(bytes.subarray(start, end));
    }
    span.page = page;
    span.from -= start;
    span.end -= start;
  }
}

/** What is read of a span while the rest of it is gone over. */
interface Label {
  readonly span: PackedSpan;
  /** The attributes that may name its conversation. */
  named: Attributes | undefined;
}

const valueShape: Record<number, ProtoShape> = {};
const entryShape: ProtoShape = { 2: valueShape };
Object.assign(valueShape, { 5: { 1: valueShape }, 6: { 1: entryShape } });
const naming = new ByteWords(conversationKeys);

/** Tell whether an attribute may name the conversation. */
const entryFields: ProtoFields<{ isNaming: boolean }> = {
  1: [
    wire.bytes,
    (reader, found) => {
      found.isNaming = reader.isOneOf(naming);
    },
  ],
  2: checked(valueShape),
};

function goOverAttribute(reader: ProtoReader, label: Label): void {
  const at = reader.at;
  const isNaming = reader.plainEntryOf(naming) ?? reader.message(entryFields, { isNaming: false }).isNaming;
  if (!isNaming) return;
  label.named ??= bareObject();
  readAttribute(new ProtoReader(label.span.page, at), label.named);
}

function checked<T>(shape: ProtoShape): ProtoField<T> {
  return [wire.bytes, (reader) => reader.check(shape)];
}
function countedEvent<T>(shape: ProtoShape): ProtoField<T> {
  return [
    wire.bytes,
    (reader) => {
      reader.tally?.events();
      reader.check(shape);
    },
  ];
}
const leftOut: ProtoField<Label> = [
  wire.varint,
  (reader, { span }) => {
    if (reader.uint32() > 0) span.isCut = true;
  },
];
const labelFields: ProtoFields<Label> = {
  1: [
    wire.bytes,
    (reader, { span }) => {
      span.trace_id = reader.id(16);
    },
  ],
  2: [
    wire.bytes,
    (reader, { span }) => {
      span.span_id = reader.id(8);
    },
  ],
  8: [
    wire.fixed64,
    (reader, { span }) => {
      span.endMs = Math.floor(reader.fixed64Near() / 1e6);
    },
  ],
  9: [wire.bytes, goOverAttribute],
  10: leftOut,
  11: countedEvent({ 3: entryShape }),
  12: leftOut,
  13: countedEvent({ 4: entryShape }),
  15: checked({}),
};

type OpenView = Open<Omit<SpanView, 'attributes' | 'events'>> & {
  readonly attributes: Attributes;
  events: SpanEvent[];
};

const time = <K extends string>(name: K) =>
  put(wire.fixed64, name, (reader): bigint | undefined => reader.fixed64() || undefined);
const eventFields: ProtoFields<Open<SpanEvent> & { readonly attributes: Attributes }> = {
  1: time('time'),
  2: put(wire.bytes, 'name', (reader) => reader.text()),
  3: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
};
const statusFields: ProtoFields<OpenView> = {
  2: put(wire.bytes, 'statusMessage', (reader) => reader.text()),
  3: put(wire.varint, 'failed', (reader) => reader.int32() === 2),
};
const viewFields: ProtoFields<OpenView> = {
  4: put(wire.bytes, 'parentId', (reader) => reader.id(8)),
  5: put(wire.bytes, 'name', (reader) => reader.word()),
  7: time('start'),
  8: time('end'),
  9: [wire.bytes, (reader, { attributes }) => readAttribute(reader, attributes)],
  11: [
    wire.bytes,
    (reader, view) => {
      const event = { name: '', time: undefined, attributes: bareObject(), body: undefined };
      view.events = added(view.events, reader.message(eventFields, event));
    },
  ],
  15: [wire.bytes, (reader, view) => reader.message(statusFields, view)],
};
