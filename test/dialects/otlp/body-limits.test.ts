import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { BodyTally, boundJson, countJson, TooMany } from '../../../src/dialects/otlp/body-limits.ts';
import { packedSpansOf } from '../../../src/dialects/otlp/packed-span.ts';
import { logsOfProtobuf, spansOfProtobuf } from '../../../src/dialects/otlp/read-protobuf.ts';
import { decodeOtlpRequest, packedOtlpRequest } from '../../../src/dialects/otlp/request.ts';

/** A field of bytes, written by hand. */
function field(n: number, ...parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts);
  const head = [(n << 3) | 2];
  for (let left = bytes.length; ; left >>>= 7) {
    head.push(left > 127 ? (left & 127) | 128 : left);
    if (left < 128) break;
  }
  return Buffer.concat([Buffer.from(head), bytes]);
}
const many = (n: number, one: Uint8Array) => Buffer.concat(Array.from({ length: n }, () => one));
const empty = (n: number) => Buffer.from([(n << 3) | 2, 0]);
/** What follows is no field: who reads on says that it cannot be decoded. */
const garbage = Buffer.from([0xff, 0xff]);
const ids = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);

const limits = { maxSpans: 8, maxEvents: 8, maxValues: 100 };
const bombs: readonly (readonly [string, (n: number, tail: Buffer) => Buffer])[] = [
  ['empty resources', (n, tail) => Buffer.concat([many(n, empty(1)), tail])],
  ['empty scopes in one resource', (n, tail) => field(1, many(n - 1, empty(2)), tail)],
  ['empty spans', (n, tail) => field(1, field(2, many(n, empty(2)), tail))],
  ['one span of empty events', (n, tail) => field(1, field(2, field(2, ids, many(n, empty(11)), tail)))],
  ['one span of empty links', (n, tail) => field(1, field(2, field(2, ids, many(n, empty(13)), tail)))],
];
const none = Buffer.alloc(0);
const readers = { packedSpansOf, spansOfProtobuf };

it.each(bombs)('%s were made in full before they were counted', (_, bomb) => {
  for (const read of Object.values(readers)) {
    expect(() => read(bomb(8, none), limits)).not.toThrow();
    expect(() => read(bomb(8, garbage), limits)).toThrow(/^(?!.*in a request)/); // read to its end
    for (const tail of [none, garbage]) expect(() => read(bomb(9, tail), limits)).toThrow(TooMany); // not read on
    expect(() => read(bomb(9, none))).not.toThrow();
  }
});

it('log records were made in full before they were counted', () => {
  const bomb = (n: number, tail: Buffer) => field(1, field(2, many(n, empty(2)), tail));
  expect(logsOfProtobuf(bomb(8, none), limits).refused).toHaveLength(8);
  expect(() => logsOfProtobuf(bomb(9, garbage), limits)).toThrow(TooMany);
});

const value = field(2, field(5, many(200, empty(1)), garbage));
it.each([
  ['attributes', many(200, field(9, field(1, Buffer.from('k')), field(2, field(1, Buffer.from('v')))))],
  ['empty attributes', many(200, empty(9))],
  ['the items of a list', field(9, value)],
  ['the attributes of an event', field(11, field(3, value))],
  ['the attributes of a link', field(13, field(4, value))],
])('%s of one span were bound by nothing', (_, inner) => {
  const body = field(1, field(2, field(2, ids, inner, garbage)));
  for (const read of Object.values(readers)) expect(() => read(body, limits)).toThrow('more than 100 values');
});

/** Fails whoever makes a record of it. */
const untouched = () =>
  Object.defineProperty({}, 'attributes', {
    get() {
      throw new Error('a record was made');
    },
  });
const list = <T>(n: number, one: () => T) => Array.from({ length: n }, one);

it.each([
  ['resources', { resourceSpans: list(9, untouched) }],
  ['scopes', { resourceSpans: [{ scopeSpans: list(8, untouched) }] }],
  ['spans', { resourceSpans: [{ scopeSpans: [{ spans: list(9, untouched) }] }] }],
  ['events', { resourceSpans: [{ scopeSpans: [{ spans: [{ events: list(9, untouched) }] }] }] }],
  ['links', { resourceSpans: [{ scopeSpans: [{ spans: [{ links: list(9, untouched) }] }] }] }],
  ['log records', { resourceLogs: [{ scopeLogs: [{ logRecords: list(9, untouched) }] }] }],
])('too many %s in JSON are refused before a record is made', (_, body) => {
  expect(() => countJson(body, limits)).toThrow(TooMany);
  expect(() => countJson(body, { ...limits, maxSpans: 9, maxEvents: 9 })).not.toThrow();
});

it('a JSON text of millions of nothings was parsed before anything was counted', () => {
  const text = (n: number, inner = '{}') => Buffer.from(`{"a":[${list(n, () => inner).join(',')}`); // it has no end
  expect(() => boundJson(text(300), limits)).toThrow('more than 100 values');
  expect(() => boundJson(text(300, '0'), { maxValues: 75 })).toThrow(TooMany);
  expect(() => boundJson(text(150), limits)).not.toThrow();
  const words = Buffer.from(JSON.stringify({ a: `${'{,['.repeat(500)}\\"{` }));
  expect(() => boundJson(words, limits)).not.toThrow(); // a text is no value, whatever it has in it
});

it('answers 413 to more than a body may hold, in any form, and 400 to what cannot be read', () => {
  const send = (path: string, type: string, body: Uint8Array) =>
    [decodeOtlpRequest, packedOtlpRequest].map((decode) => {
      const headers = { 'content-type': `application/${type}`, 'content-encoding': 'gzip' };
      return decode({ method: 'POST', path, headers, body: gzipSync(body) }, limits).status;
    });
  for (const [, bomb] of bombs) {
    expect(send('/v1/traces', 'x-protobuf', bomb(9, none))).toEqual([413, 413]);
    expect(send('/v1/traces', 'x-protobuf', bomb(8, garbage))).toEqual([400, 400]);
  }
  const json = (body: unknown) => Buffer.from(JSON.stringify(body));
  expect(send('/v1/traces', 'json', json({ resourceSpans: list(9, () => ({})) }))).toEqual([413, 413]);
  expect(send('/v1/logs', 'json', json({ resourceLogs: list(9, () => ({})) }))).toEqual([413, 413]);
  expect(send('/v1/traces', 'json', Buffer.from('[{}'.repeat(300)))).toEqual([413, 413]);
});

it('counts up to a limit and not beyond', () => {
  const tally = new BodyTally({ maxEvents: 2 });
  for (let n = 0; n < 100; n++) tally.spans(); // not bound
  tally.events(2);
  expect(() => tally.events()).toThrow('more than 2 events and links in a request');
});
