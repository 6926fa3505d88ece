import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolsFrom } from '../../src/rows/tool.ts';
import { checkArguments } from '../../src/world/check-arguments.ts';
import { generateValue } from '../../src/world/generate.ts';
import { phrasesOf, placeholdersIn } from '../../src/world/placeholder.ts';
import { createWorld } from '../../src/world/world.ts';

const tree = {
  type: 'object',
  properties: {
    root: { $ref: '#/$defs/node' },
    owner: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    at: { $ref: '#/$defs/point' },
  },
  required: ['root', 'owner'],
  additionalProperties: false,
  $defs: {
    node: {
      type: 'object',
      properties: {
        label: { type: 'string', minLength: 1 },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      required: ['label'],
    },
    point: { allOf: [{ type: 'object', properties: { x: { type: 'integer', minimum: 0 } }, required: ['x'] }] },
  },
};

describe('a strict server', () => {
  it.each([
    ['a fit', { root: { label: 'a', children: [{ label: 'b' }] }, owner: null }, []],
    [
      'a gap deep in a recursive schema',
      { root: { label: 'a', children: [{ children: [] }] }, owner: 'x' },
      ['missing root.children[0].label'],
    ],
    ['an undeclared name', { root: { label: 'a' }, owner: 'x', extra: 1 }, ['invalid extra']],
    ['a wrong type behind a nullable', { root: { label: 'a' }, owner: 5 }, ['invalid owner']],
    ['a bound behind allOf', { root: { label: 'a' }, owner: 'x', at: { x: -1 } }, ['invalid at.x']],
    ['a gap behind allOf', { root: { label: 'a' }, owner: 'x', at: {} }, ['missing at.x']],
    ['an optional left empty', { root: { label: 'a' }, owner: 'x', at: null }, []],
  ])('%s', (_what, args, problems) => {
    expect(checkArguments(args, tree).map(({ kind, path }) => `${kind} ${path}`)).toEqual(problems);
  });

  it('a schema that contains itself without an end is answered', () => {
    const ring = {
      properties: {
        a: { anyOf: [{ $ref: '#/properties/a' }, { $ref: '#/properties/a' }] },
        b: { $ref: '#/properties/b' },
      },
    };
    expect(checkArguments({ a: 1, b: 2 }, ring)).toEqual([]);
    expect(generateValue(ring, { parts: [1] })).toBeTypeOf('object');
  });

  it.each([
    ['an id given as a number', { type: 'string' }, 'order_id', 7, true],
    ['an id given as digits', { type: 'integer' }, 'order_id', '7', true],
    ['a number given as digits', { type: 'integer' }, 'guests', '7', false],
    ['a whole double', { type: 'integer' }, 'guests', 2.5, false],
    ['a pattern', { type: 'string', pattern: '^[a-z]+$' }, 'code', 'a1', false],
    ['a pattern that would never return', { type: 'string', pattern: '(a+)+$' }, 'code', `${'a'.repeat(50)}!`, false],
    ['a length', { type: 'string', maxLength: 2 }, 'code', 'abc', false],
    ['a step', { type: 'number', multipleOf: 0.1 }, 'rate', 0.3, true],
    ['an old exclusive bound', { type: 'number', minimum: 0, exclusiveMinimum: true }, 'rate', 0, false],
    ['a constant', { const: 'fixed' }, 'kind', 'other', false],
    ['a type of another dialect', { type: 'dict' }, 'options', {}, true],
    ['a list that is too short', { type: 'array', minItems: 2 }, 'ids', ['a'], false],
  ])('%s', (_what, schema, key, value, isFine) => {
    expect(checkArguments({ [key]: value }, { properties: { [key]: schema } }).length === 0).toBe(isFine);
  });
});

it.each([
  ['booking id', true],
  ['booking_id', true],
  ['  <BOOKING ID> ', true],
  ['{{booking}}', true],
  ['my phone', true],
  ['someone@test.org', true],
  ['B-7', false],
  ['email', false],
  ['["a", "b"]', false],
  ['{"a": [1]}', false],
  ['a <b>bold</b> claim', false],
  ['nobody@hotel.org', false],
  ['the key is under the mat', false],
])('%j repeats the schema: %s', (value, isEcho) => {
  const found = placeholdersIn({ a: [{ b: value }] }, phrasesOf(['booking_id', 'email']), new Set());
  expect(found).toEqual(isEcho ? ['a[0].b'] : []);
});

it('a value that the schema lists is never an echo of it', () => {
  expect(placeholdersIn({ by: 'order number' }, new Set(), new Set(['order number']))).toEqual([]);
});

const lists = ['everything', 'filesystem', 'memory'].map((name) => `test/fixtures/mcp-${name}.json`);
it.each(lists)('calls made for %s are accepted by a validator and by the world', async (file) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validator = ({ $schema: _, ...schema }: Readonly<Record<string, unknown>>) => ajv.compile(schema);
  for (const { name, parameters, output_schema } of toolsFrom(JSON.parse(await readFile(file, 'utf8')))) {
    const [isCall, isResult] = [validator(parameters), output_schema && validator(output_schema)];
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, requiredOnly) => {
        const args = generateValue(parameters, { parts: [seed, name], requiredOnly }) as Record<string, unknown>;
        expect(isCall(args), `${name} ${JSON.stringify(args)} ${ajv.errorsText(isCall.errors)}`).toBe(true);
        expect(checkArguments(args, parameters)).toEqual([]);
        if (output_schema) expect(isResult?.(generateValue(output_schema, { parts: [seed] }))).toBe(true);
      }),
      { numRuns: 10 },
    );
  }
});

it.each(lists)('the world answers every tool of %s, and what it says fits the output schema', async (file) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const list = JSON.parse(await readFile(file, 'utf8'));
  const made = createWorld(list, { worldState: 'entity exists', seed: 5 });
  for (const { name, parameters, output_schema } of toolsFrom(list)) {
    const answer = made.call(name, generateValue(parameters, { parts: [name] }));
    expect(['ok', 'created', 'deleted'], `${name} ${JSON.stringify(answer)}`).toContain(answer['status']);
    if (!output_schema || answer['status'] === 'deleted') continue;
    const { $schema: _, ...schema } = output_schema;
    expect(ajv.validate(schema, answer['data']), `${name} ${JSON.stringify(answer)} ${ajv.errorsText()}`).toBe(true);
  }
});
