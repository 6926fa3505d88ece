import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json.ts';
import { PackedSpan, packedSpansOf } from '../../../src/dialects/otlp/packed-span.ts';
import { messageType } from '../../../src/dialects/otlp/protobuf-messages.ts';
import { spansOfProtobuf } from '../../../src/dialects/otlp/read-protobuf.ts';
import { viewOfSpan } from '../../../src/dialects/otlp/record-view.ts';
import { sessionRows } from '../../../src/dialects/otlp/session-rows.ts';
import {
  conversationOfRecord,
  recordNames,
  recordTime,
  type SpanRecord,
} from '../../../src/dialects/otlp/span-record.ts';

const request = messageType('TraceRequest');
const encode = (body: object): Uint8Array => request.encode(request.fromObject(body)).finish();
const exportOf = (...spans: readonly object[]): Uint8Array =>
  encode({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 's' }, spans }] }] });

const text = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('', 'é'.repeat(40), 'x'.repeat(300), '日本'));
const name = fc.oneof(fc.constantFrom('session.id', 'gen_ai.conversation.id', 'thread.id', 'a.b', '__proto__'), text);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text.map((stringValue) => ({ stringValue })),
    fc.integer({ min: -3, max: 2 ** 31 - 1 }).map((intValue) => ({ intValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.double({ noNaN: true }).map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 9 }).map((bytesValue) => ({ bytesValue })),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: name, value: tie('value') }), { maxLength: 3 })
      .map((values) => ({ kvlistValue: { values } })),
    fc.constant({}),
  ),
}));
const attributes = fc.array(fc.record({ key: name, value }), { maxLength: 6 });
const time = fc.bigInt({ min: 0n, max: 2n ** 61n }).map(String);
const id = (size: number) =>
  fc.oneof(fc.uint8Array({ minLength: size, maxLength: size }), fc.uint8Array({ maxLength: 20 }));
const span = fc.record(
  {
    traceId: id(16),
    spanId: id(8),
    parentSpanId: id(8),
    name: text,
    kind: fc.integer({ min: 0, max: 5 }),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    droppedAttributesCount: fc.nat(2),
    events: fc.array(fc.record({ name: text, timeUnixNano: time, attributes }), { maxLength: 3 }),
    droppedEventsCount: fc.nat(1),
    links: fc.array(fc.record({ traceId: id(16), spanId: id(8), attributes }), { maxLength: 2 }),
    status: fc.record({ code: fc.nat(2), message: text }, { requiredKeys: [] }),
  },
  { requiredKeys: ['traceId', 'spanId'] },
);
const spans = fc.array(span, { maxLength: 4 });

it('is opened to what the decoder makes of the same bytes, and seen and known as that is', () => {
  fc.assert(
    fc.property(spans, (list) => {
      const bytes = exportOf(...list);
      const decoded = spansOfProtobuf(bytes);
      const packed = packedSpansOf(bytes);
      bytes.fill(0); // a sender's bytes are not held
      expect(packed.spans.map((one) => one.opened())).toEqual(decoded.spans);
      expect(packed.refused).toEqual(decoded.refused);
      expect(packed.spans.map((one) => one.view())).toEqual(decoded.spans.map((one) => viewOfSpan(one, 0)));
      const records = decoded.spans as readonly object[] as readonly SpanRecord[];
      for (const known of [conversationOfRecord, recordNames] as const)
        expect(packed.spans.map((one) => known(one))).toEqual(records.map((one) => known(one)));
      expect(packed.spans.map(({ isCut }) => isCut)).toEqual(
        decoded.spans.map((one) => one.dropped_attributes_count + one.dropped_events_count > 0),
      );
      for (const [n, one] of packed.spans.entries()) {
        const [near, exact] = [recordTime(one) ?? 0, recordTime(records[n] ?? {}) ?? 0];
        expect(Math.abs(near - exact)).toBeLessThanOrEqual(1); // a double holds no finer time
      }
    }),
    { numRuns: 300 },
  );
});

const answer = (read: () => unknown): string => {
  try {
    read();
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};

/** A field of a message, written by hand: the encoder goes less deep than the decoder. */
function field(n: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left);
    if (left < 128) break;
  }
  return Buffer.concat([Buffer.from([(n << 3) | 2, ...length]), bytes]);
}

it('refuses values inside each other where the decoder does, whatever is innermost', () => {
  const ids = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
  const entry = (value: Uint8Array) => Buffer.concat([field(1, Buffer.from('k')), field(2, value)]);
  const innermost = [field(1, Buffer.from('x')), Buffer.from([0x18, 7]), Buffer.from([0x21, 0, 0, 0, 0, 0, 0, 0, 0])];
  const deepest = innermost.map((inner) => {
    let value: Buffer = inner;
    const said: string[] = [];
    for (let depth = 0; depth < 60; depth++) {
      const span = Buffer.concat([ids, field(9, entry(value))]);
      const bytes = field(1, field(2, field(2, span)));
      said.push(answer(() => spansOfProtobuf(bytes)));
      expect(answer(() => packedSpansOf(bytes).spans.map((one) => one.opened()))).toBe(said.at(-1));
      value = field(6, field(1, entry(value)));
    }
    expect(new Set(said)).toEqual(new Set(['taken', 'more than 100 messages inside each other']));
    return said.lastIndexOf('taken');
  });
  expect(new Set(deepest).size).toBe(1);
});

it('refuses the bytes that the decoder refuses, and opens whatever it takes', () => {
  const changed = fc.tuple(spans, fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 3 }), fc.nat(4000));
  const seen = new Set<string>();
  fc.assert(
    fc.property(changed, ([list, changes, cut]) => {
      const whole = exportOf(...list);
      for (const [at, byte] of changes) if (at < whole.length) whole[at] = byte;
      const bytes = cut < 3000 ? whole : whole.subarray(0, cut % (whole.length + 1));
      const said = answer(() => spansOfProtobuf(bytes));
      expect(answer(() => packedSpansOf(bytes).spans.map((one) => [one.opened(), one.view()]))).toBe(said);
      seen.add(said === 'taken' ? said : 'refused');
    }),
    { numRuns: 1500 },
  );
  expect(seen).toEqual(new Set(['taken', 'refused']));
});

interface Case {
  readonly name: string;
  readonly input: readonly unknown[];
}
const base64 = (hex: unknown): string => Buffer.from(String(hex ?? ''), 'hex').toString('base64');

it('makes the rows that decoded spans make, in every dialect, alone and among decoded ones', () => {
  const cases = parseJson(readFileSync('test/golden/cases/traces/otlp.json', 'utf8')) as readonly Case[];
  const withIds = (all: object): object =>
    JSON.parse(JSON.stringify(all), (key, inner: unknown) =>
      /^(trace|span|parentSpan)Id$/.test(key) ? base64(inner) : inner,
    );
  let rows = 0;
  for (const { input } of cases)
    for (const body of input.flat() as readonly object[]) {
      if (!('resourceSpans' in body)) continue;
      const bytes = encode(withIds(body));
      const decoded = spansOfProtobuf(bytes).spans as readonly object[] as readonly SpanRecord[];
      const packed = packedSpansOf(bytes).spans;
      const told = sessionRows(decoded);
      rows += told.length;
      expect(sessionRows(packed)).toEqual(told);
      expect(sessionRows(packed.map((one, n) => (n % 2 === 0 ? one : (decoded[n] ?? {}))))).toEqual(told);
    }
  expect(rows).toBeGreaterThan(20);
});

it('holds a page of its body, not the body', () => {
  const value = { stringValue: 'x'.repeat(2000) };
  const ids = (n: number) => ({ traceId: Buffer.alloc(16, n + 1), spanId: Buffer.alloc(8, n + 1) });
  const bytes = exportOf(...Array.from({ length: 200 }, (_, n) => ({ ...ids(n), attributes: [{ key: 'k', value }] })));
  const packed = packedSpansOf(bytes).spans;
  expect(packed).toHaveLength(200);
  for (const one of packed) expect(one.page.byteLength).toBeLessThanOrEqual(8192);
  expect(new Set(packed.map(({ page }) => page)).size).toBeLessThan(60);
});

it('knows a copy by its bytes', () => {
  const one = { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), name: 'a' };
  const [a, b, c] = packedSpansOf(exportOf(one, one, { ...one, name: 'b' })).spans;
  expect(a).toBeInstanceOf(PackedSpan);
  expect(a && b && a.isCopyOf(b)).toBe(true);
  expect(a && c && a.isCopyOf(c)).toBe(false);
});

it('a list, or an object, that was sent twice in one value kept the last of them alone', () => {
  const said = (text: string) => field(1, Buffer.from(text));
  const item = (text: string) => field(1, said(text));
  const entry = (key: string, text: string) =>
    field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, said(text))]));
  const [list, object] = [(text: string) => field(5, item(text)), (key: string) => field(6, entry(key, key))];
  const valueIn = (...parts: readonly Buffer[]) => {
    const attribute = field(9, Buffer.concat([field(1, Buffer.from('k')), ...parts.map((part) => field(2, part))]));
    const ids = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
    const bytes = field(1, field(2, field(2, Buffer.concat([ids, attribute]))));
    const read = [
      ...spansOfProtobuf(bytes).spans,
      ...packedSpansOf(bytes).spans.flatMap((one) => [one.opened(), one.view()]),
    ];
    const values = read.map(({ attributes: { k } }) => JSON.stringify(k));
    expect(new Set(values).size).toBe(1);
    return values[0];
  };
  expect(valueIn(Buffer.concat([list('a'), list('b')]))).toBe('["a","b"]');
  expect(valueIn(list('a'), list('b'))).toBe('["a","b"]'); // of the entry, too
  expect(valueIn(object('a'), object('b'), object('a'))).toBe('{"a":"a","b":"b"}');
  expect(valueIn(list('a'), said('x'), list('b'))).toBe('["b"]'); // another kind between them takes their place
  expect(valueIn(list('a'), object('b'))).toBe('{"b":"b"}');
  expect(valueIn(object('a'), list('b'))).toBe('["b"]');
  expect(valueIn(said('x'), said('y'))).toBe('"y"');
});
