import { expect, it } from 'vitest';
import { groundingReport } from '../../../src/reports/guard/grounding-report.ts';
import { ungroundedArguments } from '../../../src/reports/guard/ungrounded-arguments.ts';

const call = (given: Record<string, unknown>, result: unknown = {}) => ({ tool: 't', arguments: given, result });
const keysOf = (row: Record<string, unknown>, options = {}) => ungroundedArguments(row, options).map(({ key }) => key);

it.each([
  ['a value said later in the conversation', { prompt: 'x', steps: [{ user: 'ORD-9' }, call({ id: 'ORD-9' })] }, []],
  ['a value said only after the call', { prompt: 'x', steps: [call({ id: 'ORD-9' }), { user: 'ORD-9' }] }, ['id']],
  ['a value inside another', { prompt: 'item 12345', steps: [call({ id: '234' })] }, ['id']],
  ['a value spelled apart', { prompt: 'order ord 40_17!', steps: [call({ id: 'ORD-4017' })] }, []],
  [
    'a value with quotes that JSON escapes',
    { prompt: 'x', steps: [call({}, { t: 'say "hi"\nthere' }), call({ q: 'say "hi" there' })] },
    [],
  ],
  ['a whole number under a record key', { prompt: 'x', steps: [call({ orderId: 4017, limit: 4017 })] }, ['orderId']],
  ['signs of a pattern', { prompt: 'a.b*c', steps: [call({ q: 'a.b*c', r: 'axbc' })] }, ['r']],
])('%s', (_what, row, keys) => expect(keysOf(row)).toEqual(keys));

it('reads calls and results off messages in order', () => {
  const messages = [
    { role: 'user', content: 'my orders' },
    { role: 'assistant', content: '', tool_calls: [{ id: '1', function: { name: 'list', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: '1', content: '{"orders":[{"id":"A-77"}]}' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: '2', function: { name: 'get', arguments: '{"id":"A-77","to":"B-1"}' } }],
    },
  ];
  expect(keysOf({ messages })).toEqual(['to']);
});

it('ignores free text by key, and values that are allowed', () => {
  const row = { prompt: 'x', steps: [call({ note: 'the customer is angry', level: 'HIGH', tags: ['vip'] })] };
  expect(keysOf(row, { ignoreKeys: ['note', 'tags'], allow: ['high'] })).toEqual([]);
});

it('counts each row once for an argument', () => {
  const made = { prompt: 'x', steps: [call({ id: 'A-111' }), call({ id: 'A-222' })] };
  expect(groundingReport([made, made, { prompt: 'x' }])).toMatchObject({
    rows: 3,
    grounded_rate: 0.3333,
    rows_with_calls: 2,
    invented: [{ argument: 't.id', rows: 2, example: 'A-111' }],
  });
});
