import fc from 'fast-check';
import { expect, it } from 'vitest';
import { otlpReport, rowsFromOtlp } from '../../../src/dialects/otlp/rows-from-otlp.ts';

const trace = 'a'.repeat(32);
const at = (ms: number) => `17600000000${String(ms).padStart(2, '0')}000000`;
const json = (value: unknown) => JSON.stringify(value);
const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

interface Given {
  readonly id: string;
  readonly parent?: string;
  readonly ms?: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status?: object;
}
const span = ({ id, parent, ms = 1, attributes, status = {} }: Given) => ({
  traceId: trace,
  spanId: id.repeat(16).slice(0, 16),
  parentSpanId: parent?.repeat(16).slice(0, 16),
  name: id,
  startTimeUnixNano: at(ms),
  endTimeUnixNano: at(ms + 1),
  attributes,
  status,
});
const chat = (id: string, ms: number, given: readonly unknown[], answered: readonly unknown[], more = {}) =>
  span({
    id,
    ms,
    ...more,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': json(given),
      'gen_ai.output.messages': json(answered),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 1,
    },
  });
const rowOf = (...spans: readonly unknown[]) => rowsFromOtlp({ spans })[0];

it('keeps a call that only the client executes, without a result', () => {
  const call = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'pay', arguments: '{"n":1}' }] };
  expect(rowOf(chat('a', 1, [text('user', 'go')], [call]))?.steps).toEqual([
    { tool: 'pay', arguments: { n: 1 }, result: null },
  ]);
});

it('counts tokens once when agents repeat what their children report', () => {
  const agent = span({
    id: 'f',
    ms: 0,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 2,
    },
  });
  const row = rowOf(
    agent,
    ...['a', 'b'].map((id, n) => chat(id, n + 1, [text('user', 'go')], [text('assistant', id)], { parent: 'f' })),
  );
  expect(row?.['usage']).toEqual({ input_tokens: 20, output_tokens: 2 });
});

it('takes a span that was delivered twice once', () => {
  const one = chat('a', 1, [text('user', 'go')], [text('assistant', 'done')]);
  expect(rowOf(one, one)).toEqual(rowOf(one));
});

it('recovers the complete messages of an attribute that was cut, and marks the row', () => {
  const whole = json([text('user', 'go'), text('assistant', 'sure'), text('user', 'and then a long one')]);
  const row = rowOf(
    span({
      id: 'a',
      attributes: {
        'gen_ai.input.messages': whole.slice(0, -12),
        'gen_ai.output.messages': json([text('assistant', 'ok')]),
      },
    }),
  );
  expect(row).toMatchObject({ prompt: 'go', steps: [{ text: 'sure' }], final_text: 'ok', is_cut: true });
});

it.each([
  ['decimal text', '1760000000123456789'],
  ['a bigint', 1760000000123456789n],
  [
    'a low and high pair',
    { low: Number(1760000000123456789n & 0xffffffffn) | 0, high: Number(1760000000123456789n >> 32n) },
  ],
  ['seconds and nanoseconds', [1760000000, 123456789]],
  ['a date', '2025-10-09T08:53:20.123456789Z'],
])('reads a start time from %s', (_name, startTimeUnixNano) => {
  const one = { ...chat('a', 1, [text('user', 'go')], []), startTimeUnixNano };
  expect(rowOf(one)?.['ts']).toBe(Number(1760000000123456789n));
});

it('loses no span to one whose time cannot be read', () => {
  const odd = { ...chat('a', 1, [text('user', 'go')], [text('assistant', 'one')]), startTimeUnixNano: { odd: true } };
  const row = rowOf(odd, chat('b', 2, [text('user', 'and?')], [text('assistant', 'two')]));
  expect(row).toMatchObject({ prompt: 'go', steps: [{ text: 'one' }, { user: 'and?' }], final_text: 'two' });
});

it('keeps a failed call as a failure, never as a success without result', () => {
  const tool = span({
    id: 'c',
    ms: 3,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'pay' },
    status: { code: 2, message: 'no funds' },
  });
  expect(rowOf(chat('a', 1, [text('user', 'go')], []), tool)?.steps).toEqual([
    { tool: 'pay', arguments: {}, result: { status: 'error', error: 'no funds' } },
  ]);
});

it('tells the same story however the spans arrive', () => {
  const spans = [
    chat('a', 1, [text('user', 'go')], [text('assistant', 'one')]),
    chat('b', 3, [text('user', 'go'), text('assistant', 'one'), text('user', 'go')], [text('assistant', 'two')]),
    chat(
      'c',
      5,
      [text('user', 'go'), text('assistant', 'one'), text('user', 'go'), text('assistant', 'two'), text('user', 'x')],
      [text('assistant', 'three')],
    ),
  ];
  const told = rowsFromOtlp({ spans });
  expect(told[0]?.steps).toEqual([{ text: 'one' }, { user: 'go' }, { text: 'two' }, { user: 'x' }]);
  fc.assert(
    fc.property(fc.shuffledSubarray(spans, { minLength: spans.length }), (order) => {
      expect(rowsFromOtlp({ spans: order })).toEqual(told);
    }),
  );
});

it('loses no batch to data that cannot be written as text, or to names that every object has', () => {
  const odd = { toString: '', valueOf: '' };
  const good = chat(
    'a',
    1,
    [text('user', 'go')],
    [{ role: 'constructor', parts: [{ type: 'toString', content: odd }] }],
  );
  const bad = {
    traceId: odd,
    spanId: odd,
    name: odd,
    attributes: { 'gen_ai.operation.name': 'constructor' },
    status: odd,
  };
  expect(rowOf(good, bad)).toMatchObject({ prompt: 'go' });
});

it('never throws, whatever a span holds', () => {
  const names = ['gen_ai.input.messages', 'gen_ai.prompt.0.content', 'input.value', 'gen_ai.tool.name', 'ai.prompt'];
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.json({ maxDepth: 2 }), fc.constant({ toString: 1 }));
  const anySpan = fc.record({
    traceId: value,
    name: value,
    attributes: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }),
    events: value,
  });
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 4 }), (spans) => {
      expect(rowsFromOtlp({ spans })).toBeInstanceOf(Array);
    }),
    { numRuns: 60 },
  );
});

it('reports what it left out, and warns of a body with nothing to read', () => {
  const silent = span({ id: 'a', attributes: { 'gen_ai.operation.name': 'chat' } });
  expect(otlpReport({ spans: [silent] })).toMatchObject({
    spans: 1,
    rows: 0,
    dropped: [{ conversation_id: trace, reason: 'no_content' }],
    warning_codes: [],
  });
  const foreign = { ...silent, attributes: { 'http.method': 'GET' } };
  expect(otlpReport({ spans: [foreign] })).toMatchObject({
    dropped: [{ reason: 'no_spans' }],
    spans_unclassified: 1,
    warning_codes: ['unclassified_spans'],
  });
});

it('says TM_OPTIONS for an unknown option', () => {
  expect(() => rowsFromOtlp([], { by: 'trace' } as never)).toThrow(/TM_OPTIONS/);
});
