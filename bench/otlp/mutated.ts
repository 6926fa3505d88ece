import { gzipSync } from 'node:zlib';
import { type Draws, draws } from '../../src/core/draws.ts';
import { messageType } from '../../src/dialects/otlp/protobuf-messages.ts';

/** A body that something is wrong with, and the ids of the spans in it that nothing is wrong with. */
export interface Mutated {
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly good: readonly string[];
}

const json = { 'content-type': 'application/json' };
const protobuf = { 'content-type': 'application/x-protobuf' };
const request = messageType('TraceRequest');

/** The body of a number: the same number and limits give the same body. */
export function mutated(n: number, { maxBodyBytes, maxAttributeChars }: Limits): Mutated {
  const random = draws('otlp bodies', n);
  const kind = random.pick(kinds);
  return { kind, ...makers[kind]({ random, n, maxBodyBytes, maxAttributeChars }) };
}

interface Limits {
  readonly maxBodyBytes: number;
  readonly maxAttributeChars: number;
}
interface Making extends Limits {
  readonly random: Draws;
  readonly n: number;
}
type Made = Omit<Mutated, 'kind'>;

const idOf = (n: number, at: number) => (n * 8 + at + 1).toString(16).padStart(16, '0');
const attribute = (key: string, value: unknown) => ({ key, value });
const span = (n: number, at: number, ...more: readonly object[]) => ({
  traceId: 'ab'.repeat(16),
  spanId: idOf(n, at),
  name: 'chat',
  startTimeUnixNano: '1760000000000000000',
  attributes: [attribute('gen_ai.operation.name', { stringValue: 'chat' }), ...more],
});
const exportOf = (spans: readonly unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const asJson = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

function asProtobuf(spans: readonly object[]): Buffer {
  const bytes = spans.map((one) => {
    const { traceId, spanId, ...rest } = one as ReturnType<typeof span>;
    return { ...rest, traceId: Buffer.from(traceId, 'hex'), spanId: Buffer.from(spanId, 'hex') };
  });
  return Buffer.from(request.encode(request.fromObject(exportOf(bytes))).finish());
}

const oddities: readonly unknown[] = [
  null,
  1,
  -1,
  1e300,
  '',
  'x',
  '__proto__',
  true,
  [],
  {},
  [[]],
  { low: 1, high: 2 },
];

/** Put something odd in the place of one value, somewhere. */
function withOddity(value: unknown, random: Draws): unknown {
  if (typeof value !== 'object' || value === null || random.int(4) === 0) return random.pick(oddities);
  const keys = Object.keys(value);
  const key = random.pick(keys);
  if (key === undefined) return random.pick(oddities);
  const inner = withOddity((value as Readonly<Record<string, unknown>>)[key], random);
  return Array.isArray(value) ? value.map((one, at) => (String(at) === key ? inner : one)) : { ...value, [key]: inner };
}

/** Lists, or objects, inside each other, as JSON text: too deep to be made of it. */
function nestedText(depth: number, isList: boolean): string {
  const [before, after] = isList
    ? ['{"arrayValue":{"values":[', ']}}']
    : ['{"kvlistValue":{"values":[{"key":"__proto__","value":', '}]}}'];
  return `${before.repeat(depth)}{"stringValue":"deep"}${after.repeat(depth)}`;
}

const makers = {
  truncated({ random, n }) {
    const isJson = random.int(2) === 0;
    const whole = isJson ? asJson(exportOf([span(n, 0)])) : asProtobuf([span(n, 0)]);
    return { headers: isJson ? json : protobuf, body: whole.subarray(0, random.int(whole.length)), good: [] };
  },
  flipped({ random, n }) {
    const isJson = random.int(2) === 0;
    const body = isJson ? asJson(exportOf([span(n, 0)])) : asProtobuf([span(n, 0)]);
    for (let left = 1 + random.int(8); left > 0; left--) body[random.int(body.length)] = random.int(256);
    return { headers: isJson ? json : protobuf, body, good: [] };
  },
  noise({ random }) {
    const body = Buffer.from(Array.from({ length: random.int(200) }, () => random.int(256)));
    return { headers: random.pick([json, protobuf]), body, good: [] };
  },
  odd({ random, n }) {
    const body = withOddity(exportOf([span(n, 0), span(n, 1, attribute('k', { intValue: '7' }))]), random);
    return { headers: json, body: asJson(body), good: [] };
  },
  /** One span is odd, its neighbours are not: they must be kept. */
  neighbours({ random, n }) {
    const odd = random.pick([null, 7, {}, { ...span(n, 0), spanId: 'zz' }, { ...span(n, 0), traceId: '0'.repeat(32) }]);
    const body = exportOf([span(n, 1), odd, span(n, 2)]);
    return { headers: json, body: asJson(body), good: [idOf(n, 1), idOf(n, 2)] };
  },
  deep({ random, n }) {
    const depth = random.pick([3, 30, 90, 400, 3000]);
    const text = nestedText(depth, random.int(2) === 0);
    const good = depth < 30 ? [idOf(n, 0)] : [];
    if (depth < 40 && random.int(2) === 0)
      return { headers: protobuf, body: asProtobuf([span(n, 0, attribute('deep', JSON.parse(text)))]), good };
    const body = JSON.stringify(exportOf([span(n, 0, attribute('deep', 'HERE'))])).replace('"HERE"', text);
    return { headers: json, body: asJson(body), good };
  },
  proto({ random, n }) {
    const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
    const more = keys.map((key) => attribute(key, { kvlistValue: { values: [attribute(key, { boolValue: true })] } }));
    const spans = [span(n, 0, ...more)];
    if (random.int(2) === 0) return { headers: protobuf, body: asProtobuf(spans), good: [idOf(n, 0)] };
    const text = JSON.stringify(exportOf(spans)).replace(
      '{"resourceSpans"',
      '{"__proto__":{"polluted":1},"resourceSpans"',
    );
    return { headers: json, body: asJson(text), good: [idOf(n, 0)] };
  },
  bomb({ random, maxBodyBytes }) {
    const packed = gzipSync(Buffer.alloc(maxBodyBytes + 1 + random.int(maxBodyBytes), 32), { level: 1 });
    return { headers: { ...random.pick([json, protobuf]), 'content-encoding': 'gzip' }, body: packed, good: [] };
  },
  large({ random, n, maxAttributeChars }) {
    const large = span(n, 0, attribute('text', { stringValue: 'x'.repeat(maxAttributeChars + 1) }));
    const spans = [large, span(n, 1)];
    if (random.int(2) === 0) return { headers: protobuf, body: asProtobuf(spans), good: [idOf(n, 1)] };
    return { headers: json, body: asJson(exportOf(spans)), good: [idOf(n, 1)] };
  },
  packed({ random, n }) {
    const encoding = random.pick(['gzip', 'deflate', 'br', 'identity', 'gzip, gzip']);
    const whole = gzipSync(asJson(exportOf([span(n, 0)])));
    const body = whole.subarray(0, whole.length - random.int(3));
    const isGood = encoding === 'gzip' && body.length === whole.length;
    return { headers: { ...json, 'content-encoding': encoding }, body, good: isGood ? [idOf(n, 0)] : [] };
  },
} satisfies Record<string, (making: Making) => Made>;

const kinds = Object.keys(makers) as (keyof typeof makers)[];
