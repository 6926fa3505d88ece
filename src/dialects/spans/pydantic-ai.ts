import { fieldsOf, firstOf, written } from '../fields.ts';
import { itemsOfMessages } from '../message-items.ts';
import { messageList } from '../message-list.ts';
import { exchange, type SpanDialect } from './exchange.ts';

/** pydantic-ai: the whole run on the agent span, as messages of parts or, in its first versions, as a list of events. */
export const pydanticAi: SpanDialect = {
  name: 'pydantic-ai',
  read({ attributes }) {
    const { messages, isCut } = messageList(
      firstOf(attributes, ['pydantic_ai.all_messages', 'all_messages_events', 'events']),
    );
    const items = itemsOfMessages(messages.map(messageOf));
    const asked = items.findLastIndex(({ kind }) => kind === 'user' || kind === 'system') + 1;
    return exchange(items.slice(0, asked), items.slice(asked), { isCut });
  },
};

/** An event of version 1 names its role in its name, and a choice holds its message inside. */
function messageOf(event: unknown): unknown {
  const fields = fieldsOf(event);
  const named = /^gen_ai\.(\w+)\.message$/.exec(written(fields['event.name']))?.[1];
  if (fields['event.name'] === 'gen_ai.choice') return { role: 'assistant', ...fieldsOf(fields['message']) };
  return named === undefined ? event : { role: named, ...fields };
}
