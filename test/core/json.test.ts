import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/core/json.ts';

describe('L09: integers beyond 2^53', () => {
  it('keep their digits through reading and writing', () => {
    const text =
      '{"id":12345678901234567890,"list":[-9007199254740993,9007199254740991],"deep":{"n":18446744073709551615}}';
    expect(parseJson(text)).toEqual({
      id: 12345678901234567890n,
      list: [-9007199254740993n, 9007199254740991],
      deep: { n: 18446744073709551615n },
    });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });
  it('stay texts where they were texts, and floats where they were floats', () => {
    expect(parseJson('["12345678901234567890",1e30,1.5,-0.1]')).toEqual(['12345678901234567890', 1e30, 1.5, -0.1]);
  });
  it('take the last of two members of one name, as everywhere', () => {
    expect(parseJson('{"a":1,"a":12345678901234567890}')).toEqual({ a: 12345678901234567890n });
    expect(parseJson('{"a":12345678901234567890,"a":2}')).toEqual({ a: 2 });
  });
});

describe('L13: NaN and Infinity as Python writes them', () => {
  const read = (text: string) => {
    let count = 0;
    return [parseJson(text, () => count++), count];
  };
  it('become null and are counted; texts that look like them stay', () => {
    expect(read('{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN, \\"Infinity","d":1}')).toEqual([
      { a: null, b: [null, null], c: 'NaN, "Infinity', d: 1 },
      3,
    ]);
    expect(read('NaN')).toEqual([null, 1]);
    expect(read('{"a":1e999,"b":12345678901234567890}')).toEqual([{ a: null, b: 12345678901234567890n }, 1]);
  });
  it('are never written', () => {
    expect(stringifyJson({ a: Number.NaN, b: Number.POSITIVE_INFINITY })).toBe('{"a":null,"b":null}');
    expect(stringifyJson({ a: Number.NaN, b: 2n ** 64n, c: [-1 / 0] })).toBe(
      '{"a":null,"b":18446744073709551616,"c":[null]}',
    );
  });
  it('do not hide what is no JSON', () => {
    for (const text of ['{"a":NaN', 'NaNa', '{NaN:1}', '{"a":nan}', '', '[1,]', '{"a":"\n"}'])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('depth', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  it('is read up to 1000 levels and refused above, without a crash', () => {
    expect(stringifyJson(parseJson(nested(1000)))).toBe(nested(1000));
    for (const depth of [1001, 100_000, 3_000_000])
      expect(() => parseJson(nested(depth))).toThrow(expect.objectContaining({ code: 'TM_ROW', reason: 'too_deep' }));
    expect(() => parseJson('{"a":'.repeat(2_000_000))).toThrow(expect.objectContaining({ reason: 'too_deep' }));
  });
  it('does not count brackets in texts', () => {
    const text = JSON.stringify({ a: '['.repeat(2_000_000), b: '\\"[' });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });
  it('that cannot be written is said, not a stack overflow', () => {
    let value: unknown = 0;
    for (let n = 0; n < 100_000; n++) value = [value];
    expect(() => stringifyJson(value)).toThrow(expect.objectContaining({ reason: 'too_deep' }));
  });
});

it('takes __proto__ as a member like any other', () => {
  for (const text of ['{"__proto__":{"admin":true},"n":1}', '{"__proto__":{"admin":true},"n":12345678901234567890}']) {
    const row = parseJson(text) as { readonly admin?: unknown };
    expect(row.admin).toBeUndefined();
    expect(Object.hasOwn(row, '__proto__')).toBe(true);
    expect(stringifyJson(row)).toBe(text);
  }
});

it('reads what JSON.parse reads, and writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      fc.pre(!/\d{16}/.test(text));
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it('gives back any bigint among any values', () => {
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (written) => {
      expect(parseJson(stringifyJson(written))).toEqual(written);
    }),
  );
});
