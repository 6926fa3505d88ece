import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conversationOf } from '../../src/rows/conversation.ts';

it('ends with the graded reply, whatever came before it', () => {
  const text = fc.string({ minLength: 1 });
  const step = fc.oneof(
    fc.record({ user: text }),
    fc.record({ text }),
    fc.record({ tool: text, arguments: fc.object(), result: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(fc.array(step), text, text, (steps, prompt, final_text) => {
      const messages = conversationOf({ prompt, steps, final_text });
      const said = messages.filter(({ role, content }) => role === 'assistant' && content === final_text);
      expect(messages[0]).toEqual({ role: 'user', content: prompt });
      expect(said.length).toBeGreaterThan(0);
      if (!steps.some((one) => 'text' in one && one.text === final_text)) expect(messages.at(-1)).toEqual(said[0]);
    }),
  );
});

it('keeps the ask after an opener even when nobody answered', () => {
  const messages = conversationOf({ opener: 'Hello!', prompt: 'p', steps: [{ user: 'u' }], final_text: '' });
  expect(messages.map(({ content }) => content)).toEqual(['Hello!', 'p']);
});

it('fills a blank closing turn with the reply', () => {
  const messages = conversationOf({ prompt: 'p', steps: [{ text: ' ' }], final_text: 'done' });
  expect(messages.map(({ content }) => content)).toEqual(['p', 'done']);
});

it('shows the text of arguments that are no JSON, instead of a call without arguments', () => {
  const [, call] = conversationOf({ prompt: 'p', steps: [{ tool: 't', arguments_raw: '{"a":' }] });
  expect(call?.['tool_calls']).toEqual([{ name: 't', arguments: '{"a":' }]);
});
