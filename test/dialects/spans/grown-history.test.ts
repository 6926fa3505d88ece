import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOfMessages } from '../../../src/dialects/message-items.ts';
import { messageList } from '../../../src/dialects/message-list.ts';
import { grownHistory } from '../../../src/dialects/spans/grown-history.ts';

const part = fc.oneof(
  fc.record({ type: fc.constant('text'), content: fc.string() }),
  fc.record({ type: fc.constant('tool_call'), id: fc.string(), name: fc.constant('find'), arguments: fc.object() }),
  fc.record({ type: fc.constant('tool_call_response'), id: fc.string(), response: fc.jsonValue() }),
);
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system'), parts: fc.array(part, { maxLength: 3 }) }),
  fc.record({ role: fc.constant('assistant'), content: fc.string() }),
  fc.record({ type: fc.constant('function_call'), name: fc.constant('find'), arguments: fc.constant('{"id":7}') }),
  fc.jsonValue(),
);
const read = (value: unknown) => {
  const { messages, isCut } = messageList(value);
  return { items: itemsOfMessages(messages), isCut };
};
const seen = (reader: ReturnType<typeof grownHistory>, value: unknown) => {
  const { items, isCut } = reader(value);
  return { items, isCut };
};

test('reads a history the same whatever was read before it: grown, cut, in whole, spaced or none', () => {
  const texts = fc.array(message, { maxLength: 6 }).chain((messages) =>
    fc
      .array(
        fc.record({
          length: fc.nat(messages.length),
          cut: fc.oneof(fc.constant(0), fc.nat(8)),
          space: fc.constantFrom(undefined, 1),
          behind: fc.constantFrom('', '', ' ', ',', ']', ',]'),
        }),
      )
      .map((requests) =>
        requests.map(({ length, cut, space, behind }) => {
          const text = JSON.stringify(messages.slice(0, length), null, space);
          return text.slice(0, text.length - cut) + behind;
        }),
      ),
  );
  fc.assert(
    fc.property(texts, (all) => {
      const reader = grownHistory();
      for (const text of all) expect(seen(reader, text)).toEqual(read(text));
    }),
  );
});

test('a number that goes on, or a list with an empty end, is no longer history', () => {
  const reader = grownHistory();
  for (const text of ['[1,2]', '[1,23]', '[1,2,]', '[1,2],[3]', '[1,2 , 3]', '[1,2]', [1, 2], '"[1,2]"'])
    expect(seen(reader, text)).toEqual(read(text));
});

test('what two requests repeat is read once', () => {
  const reader = grownHistory();
  const said = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
  const [first] = reader(JSON.stringify(said.slice(0, 2))).items;
  const [again] = reader(JSON.stringify(said)).items;
  expect(again).toBe(first);
});
