import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json.ts';
import { extractJson, findJson } from '../../../src/judges/verifiers/extract-json.ts';
import { fences } from '../../../src/judges/verifiers/fences.ts';
import { jsonField } from '../../../src/judges/verifiers/json-field.ts';
import { jsonSchema } from '../../../src/judges/verifiers/json-schema.ts';
import { jsonValid } from '../../../src/judges/verifiers/json-valid.ts';
import type { Verifier } from '../../../src/judges/verifiers/verifier.ts';

const reward = (check: Verifier, final_text: string, reference?: unknown) =>
  (check.verify({ final_text, ...(reference !== undefined && { reference }) }) as { reward: number | null }).reward;

it('finds any JSON value again, fenced, bare or in prose', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value);
      const same = parseJson(json);
      expect(findJson(`Here:\n\`\`\`JSON\n${json}\n\`\`\`\nbye`)).toEqual({ found: true, value: same });
      expect(findJson(`\n ${json} `)).toEqual({ found: true, value: same });
      if (value !== null && typeof value === 'object') expect(extractJson(`so: ${json}, yes`)).toEqual(same);
    }),
  );
});

it('prefers a block tagged json, and looks past braces that are no JSON', () => {
  expect(extractJson('```\n[1]\n```\n```json\n{"a":2}\n```')).toEqual({ a: 2 });
  expect(extractJson('use {x} or [y], then {"s":"}{"} end')).toEqual({ s: '}{' });
  expect(extractJson('open { but then {"a":1}')).toEqual({ a: 1 });
  expect(extractJson('```json {"a":1}```')).toEqual({ a: 1 });
});

it.each(['{"a":1,}', '{"a":NaN}', "{'a':1}", '{"a":1} // x', '[1', '"x', ''])('%j is no JSON', (text) => {
  expect(strictly(text)).toBe(0);
});
const strictly = (text: string) => reward(jsonValid({ topType: 'array' }), text);

it('nesting beyond 500 is no JSON, and hostile braces take linear time', () => {
  const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
  expect([findJson(deep(500)).found, findJson(deep(501)).found]).toEqual([true, false]);
  for (const text of ['{'.repeat(300_000), '{"'.repeat(100_000), '```'.repeat(100_000), deep(100_000)]) findJson(text);
});

it('an integer beyond 2^53 keeps its digits', () => {
  const final_text = '{"id":9007199254740993}';
  expect(reward(jsonField({ path: 'id', equals: '9007199254740993' }), final_text)).toBe(1);
  expect(reward(jsonField({ path: 'id', equals: 9007199254740992 }), final_text)).toBe(0);
  expect(reward(jsonSchema({ schema: { properties: { id: { type: 'integer' } } } }), final_text)).toBe(1);
});

it('JSONField: text against a scalar by its text unless strict, objects in any key order', () => {
  const field = (equals: unknown, strict = false) => jsonField({ path: 'a', equals, strict });
  expect(reward(field(5), '{"a":"5"}')).toBe(1);
  expect(reward(field(5, true), '{"a":"5"}')).toBe(0);
  expect(reward(field('true'), '{"a":true}')).toBe(1);
  expect(reward(field(1), '{"a":true}')).toBe(0);
  expect(reward(field({ x: 1, y: ['P'] }), '{"a":{"y":["p"],"x":1.0}}')).toBe(1);
  expect(reward(field({ x: 1 }), '{"a":{"x":1,"y":2}}')).toBe(0);
  expect(reward(field(null), '{"a":null}')).toBe(1);
  expect(reward(jsonField({ path: 'a' }), '{"a":null}')).toBe(0);
  expect(reward(jsonField({ path: 'a.b' }), '{"a.b":1}')).toBe(1);
});

it('JSONSchema: draft 2020-12, older drafts, formats; a pattern that would hang elsewhere does not', () => {
  const check = (schema: Record<string, unknown>, text: string) => reward(jsonSchema({ schema }), text);
  expect(check({ type: 'integer' }, '3.0')).toBe(1);
  expect(check({ prefixItems: [{ type: 'string' }], items: false }, '["a",1]')).toBe(0);
  expect(check({ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, '[1,"x"]')).toBe(0);
  const older = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
  expect(check(older, '[1]')).toBe(0);
  expect(check({ format: 'email' }, '"nobody"')).toBe(0);
  expect(check({ pattern: '^(a+)+$' }, `"${'a'.repeat(5000)}!"`)).toBe(0);
  expect(check({ properties: { a: { pattern: '^x' }, b: { pattern: '^y' } } }, '{"a":"x","b":"x"}')).toBe(0);
  expect(check({ pattern: '(?=x)' }, '"x"')).toBeNull(); // look-ahead has no linear engine: said, not guessed
});

it('JSONSchema: many equal objects are found in linear time', () => {
  const items = Array.from({ length: 30_000 }, (_, n) => ({ id: n, rest: 'x' }));
  const check = jsonSchema({ schema: { uniqueItems: true } });
  expect(reward(check, JSON.stringify(items))).toBe(1);
  expect(reward(check, JSON.stringify([...items, { rest: 'x', id: 7 }]))).toBe(0);
});

it('reads fences: tags, one on a line, one never closed', () => {
  expect(fences('a\n```Py\nx\n```\n~\n```js y=1```\n```\nlast')).toEqual([
    { tag: 'py', body: 'x' },
    { tag: 'js', body: ' y=1' },
    { tag: '', body: 'last' },
  ]);
});
