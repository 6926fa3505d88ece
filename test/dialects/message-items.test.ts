import { expect, it } from 'vitest';
import { conversationFrom } from '../../src/dialects/conversation.ts';
import { itemsOfMessages } from '../../src/dialects/message-items.ts';

const told = (messages: readonly unknown[]) => conversationFrom(itemsOfMessages(messages), { detailed: true });
const step = { tool: 'look', id: 'c1', arguments: { q: 1 }, result: { found: 2 } };
const json = '{"q":1}';
const answer = '{"found":2}';

const encodings: Readonly<Record<string, readonly unknown[]>> = {
  'chat tool_calls': [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: json } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: answer },
  ],
  'flat tool_calls': [
    { role: 'assistant', tool_calls: [{ id: 'c1', name: 'look', args: { q: 1 } }] },
    { role: 'tool', tool_call_id: 'c1', name: 'look', content: answer },
  ],
  'a message part': [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: { q: 1 } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: answer }] },
  ],
  'a result on a user message': [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: json }] },
    { role: 'user', parts: [{ type: 'tool_call_response', id: 'c1', result: answer }] },
  ],
  'a content block': [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { q: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: answer }] }] },
  ],
  'a Gemini functionCall': [
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: { q: 1 } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', response: { found: 2 } } }] },
  ],
  'an AI SDK part': [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { q: 1 } }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'json', value: { found: 2 } } },
      ],
    },
  ],
  'an AI SDK interface part': [
    {
      role: 'assistant',
      parts: [
        { type: 'tool-look', toolCallId: 'c1', state: 'output-available', input: { q: 1 }, output: { found: 2 } },
      ],
    },
  ],
  'Responses items': [
    { type: 'reasoning', summary: [] },
    { type: 'function_call', id: 'fc_9', call_id: 'c1', name: 'look', arguments: json },
    { type: 'function_call_output', call_id: 'c1', output: answer },
  ],
  'LangChain constructors': [
    {
      lc: 1,
      id: ['langchain', 'schema', 'messages', 'AIMessage'],
      kwargs: { content: '', tool_calls: [{ id: 'c1', name: 'look', args: { q: 1 } }] },
    },
    {
      lc: 1,
      id: ['langchain', 'schema', 'messages', 'ToolMessage'],
      kwargs: { content: answer, tool_call_id: 'c1' },
    },
  ],
  'a call said twice, as a block and in the list': [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { q: 1 } }],
      tool_calls: [{ id: 'c1', function: { name: 'look', arguments: json } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: answer },
  ],
};

it.each(Object.entries(encodings))('reads the same step from %s', (_name, messages) => {
  const row = told([{ role: 'user', content: 'go' }, ...messages, { role: 'assistant', content: 'done' }]);
  expect(row).toEqual({ prompt: 'go', steps: [step], final_text: 'done' });
});

it('reads calls without ids: the legacy function_call and ShareGPT turns', () => {
  const { id: _id, ...without } = step;
  const legacy = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: json } },
    { role: 'function', name: 'look', content: answer },
    { role: 'assistant', content: 'done' },
  ];
  const shareGpt = [
    { from: 'human', value: 'go' },
    { from: 'function_call', value: '{"name":"look","arguments":{"q":1}}' },
    { from: 'observation', value: answer },
    { from: 'gpt', value: 'done' },
  ];
  for (const messages of [legacy, shareGpt])
    expect(told(messages)).toEqual({ prompt: 'go', steps: [without], final_text: 'done' });
});

it('keeps what was said before a call on the first call of its turn', () => {
  const calls = ['a', 'b'].map((id) => ({ id, function: { name: 'look', arguments: json } }));
  const row = told([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'let me look', tool_calls: calls },
    { role: 'tool', tool_call_id: 'b', content: 'second' },
    { role: 'tool', tool_call_id: 'a', content: 'first' },
  ]);
  expect(row.steps).toEqual([
    { tool: 'look', id: 'a', arguments: { q: 1 }, text: 'let me look', result: 'first' },
    { tool: 'look', id: 'b', arguments: { q: 1 }, result: 'second' },
  ]);
  expect(row.final_text).toBe('let me look');
});

it('marks a call that nobody answered, and calls it neither fault nor success', () => {
  const row = told([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: { name: 'look', arguments: json } }] },
  ]);
  expect(row.steps).toEqual([{ tool: 'look', id: 'c1', arguments: { q: 1 }, result_missing: true }]);
});

it('keeps arguments that are no JSON as raw text, and decodes JSON inside JSON', () => {
  const call = (id: string, text: unknown) => ({ id, function: { name: 'look', arguments: text } });
  const list = [
    call('a', '{"q": 1, "cut'),
    call('b', JSON.stringify(json)),
    call('c', '[1]'),
    call('d', ''),
    'x',
    null,
  ];
  const row = told([{ role: 'assistant', tool_calls: list }]);
  expect(row.steps).toEqual([
    { tool: 'look', id: 'a', arguments_raw: '{"q": 1, "cut', result_missing: true },
    { tool: 'look', id: 'b', arguments: { q: 1 }, arguments_encodings: 2, result_missing: true },
    { tool: 'look', id: 'c', arguments_raw: '[1]', result_missing: true },
    { tool: 'look', id: 'd', arguments: {}, result_missing: true },
  ]);
});

it('keeps every digit of an order number', () => {
  const row = told([
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{"n":12345678901234567890}' } }],
    },
  ]);
  expect(row.steps[0]?.['arguments']).toEqual({ n: 12345678901234567890n });
});

it('takes what the agent says first as the opener, and keeps a user who says yes twice', () => {
  const row = told([
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: 'yes' },
    { role: 'assistant', content: 'Sure?' },
    { role: 'user', content: 'yes' },
  ]);
  expect(row).toEqual({
    prompt: 'yes',
    opener: 'Hi!',
    opening: 'agent',
    steps: [{ text: 'Sure?' }, { user: 'yes' }],
    final_text: 'Sure?',
    system_prompt: 'Be kind.',
  });
});

it('marks a failed answer, whichever way it failed', () => {
  const fail = (content: unknown) =>
    told([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', is_error: true, content }] }]).steps[0];
  expect(fail('boom')?.['result']).toEqual({ status: 'error', error: 'boom' });
  expect(fail('{"code":7}')?.['result']).toEqual({ code: 7, error: '{"code":7}', status: 'error' });
  const thrown = { type: 'tool-result', toolCallId: 'x', output: { type: 'error-text', value: 'boom' } };
  expect(told([{ role: 'tool', content: [thrown] }]).steps[0]?.['result']).toEqual({ status: 'error', error: 'boom' });
});
