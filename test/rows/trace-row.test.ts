import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stepsFromMessages } from '../../src/rows/steps-from-messages.ts';
import { traceRow } from '../../src/rows/trace-row.ts';

const args = { order_id: 7 };
const step = { tool: 'get_order', arguments: args, result: { status: 'shipped' } };
const answered = JSON.stringify(step.result);
const text = JSON.stringify(args);
const toolMessage = { role: 'tool', tool_call_id: 'c1', content: answered };

it.each([
  [
    'tool_calls',
    [{ role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'get_order', arguments: text } }] }, toolMessage],
  ],
  [
    'flat tool_calls',
    [{ role: 'assistant', tool_calls: [{ id: 'c1', name: 'get_order', arguments: args }] }, toolMessage],
  ],
  [
    'legacy function_call',
    [
      { role: 'assistant', content: null, function_call: { name: 'get_order', arguments: text } },
      { role: 'function', name: 'get_order', content: answered },
    ],
  ],
  [
    'Anthropic blocks',
    [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'get_order', input: args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: answered }] },
    ],
  ],
  [
    'message parts',
    [
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'get_order', arguments: args }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: step.result }] },
    ],
  ],
  [
    'AI SDK content',
    [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get_order', input: args }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'get_order',
            output: { type: 'json', value: step.result },
          },
        ],
      },
    ],
  ],
  [
    'Gemini parts',
    [
      { role: 'model', parts: [{ functionCall: { name: 'get_order', args } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'get_order', response: step.result } }] },
    ],
  ],
  [
    'Responses items',
    [
      { type: 'function_call', id: 'fc_9', call_id: 'c1', name: 'get_order', arguments: text },
      { type: 'function_call_output', call_id: 'c1', output: answered },
    ],
  ],
])('reads a call written as %s like every other', (_name, messages) => {
  expect(stepsFromMessages(messages)).toEqual([step]);
});

it('counts a call once that is both a block and in tool_calls', () => {
  const call = { id: 'c1', name: 'get_order', input: args };
  const message = { role: 'assistant', content: [{ type: 'tool_use', ...call }], tool_calls: [call] };
  expect(stepsFromMessages([message, toolMessage])).toEqual([step]);
});

it('leaves a call that nobody answered without a result', () => {
  const [only] = stepsFromMessages([{ role: 'assistant', tool_calls: [{ name: 'refund', arguments: '{}' }] }]);
  expect(only).toEqual({ tool: 'refund', arguments: {} });
});

it('keeps every digit of a long id in arguments and results', () => {
  const steps = stepsFromMessages([
    { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 't', arguments: '{"id":9007199254740993}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: '{"next":12345678901234567890}' },
  ]);
  expect(steps).toEqual([{ tool: 't', arguments: { id: 9007199254740993n }, result: { next: 12345678901234567890n } }]);
});

it('decodes arguments that are JSON text of JSON text, and keeps what says no object word for word', () => {
  const read = (given: unknown) =>
    stepsFromMessages([{ role: 'assistant', tool_calls: [{ name: 't', arguments: given }] }])[0];
  expect(read(JSON.stringify(text))).toEqual({ tool: 't', arguments: args });
  expect(read('[1]')).toEqual({ tool: 't', arguments_raw: '[1]' });
  expect(read(' ')).toEqual({ tool: 't', arguments: {} });
  expect(read(7)).toEqual({ tool: 't', arguments_raw: '7' });
});

it('binds an answer without an id to the oldest open call of its name', () => {
  const call = (k: number) => ({ name: k === 2 ? 'b' : 'a', arguments: { k } });
  const steps = stepsFromMessages([
    { role: 'assistant', content: 'both', tool_calls: [call(1), call(2), call(3)] },
    { role: 'tool', name: 'b', content: 'B' },
    { role: 'tool', name: 'a', content: 'first A' },
    { role: 'tool', content: 'second A' },
  ]);
  expect(steps.map(({ result }) => result)).toEqual(['first A', 'B', 'second A']);
  expect(steps.map((one) => 'text' in one)).toEqual([true, false, false]);
});

it('drops a reward it cannot read, keeps a partial one and one written as text', () => {
  const read = (reward: unknown) => traceRow({ prompt: 'p', reward })?.reward;
  expect([true, '1', ' 0 ', 0.25, '0.5'].map(read)).toEqual([1, 1, 0, 0.25, 0.5]);
  expect([2, -1, 'good', null, Number.NaN].map(read)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

it('passes over empty aliases: an empty list or object is no answer', () => {
  const row = traceRow({
    prompt: '',
    question: 'q',
    final: {},
    output: [],
    answer: 'a',
    steps: [],
    trace: [{ text: 'x' }],
  });
  expect(row).toMatchObject({ prompt: 'q', final_text: 'a', steps: [{ text: 'x' }] });
});

it('takes any JSON for messages and never throws', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (messages, content) => {
      const nested = [
        { role: 'assistant', content, tool_calls: messages },
        { role: 'tool', content },
      ];
      traceRow({ messages: [...messages, ...nested] });
    }),
  );
});
