import { fieldsOf, isObject, type JsonObject, listOf, textOf, written } from '../fields.ts';
import { itemsOfMessages } from '../message-items.ts';
import { messageList } from '../message-list.ts';
import { type Exchange, exchange, type SpanDialect } from './exchange.ts';
import { grownHistory } from './grown-history.ts';

/** OpenTelemetry GenAI conventions 1.37 and later: whole message lists as attributes, structured or as JSON text. */
export const otelAttributes: SpanDialect = { name: 'otel', read: ({ attributes }) => ofMessages(attributes) };

/** The same lists on the event that carries a whole exchange. */
export const otelDetails: SpanDialect = {
  name: 'otel-details',
  read: ({ events }) => {
    const event = events.findLast(({ name }) => name === 'gen_ai.client.inference.operation.details');
    return event && (ofMessages(event.attributes) ?? ofMessages(fieldsOf(event.body)));
  },
};

const historyOf = grownHistory();

function ofMessages(attributes: JsonObject): Exchange | undefined {
  const input = historyOf(attributes['gen_ai.input.messages']);
  const output = messageList(attributes['gen_ai.output.messages']);
  if (input.length === 0 && output.messages.length === 0) return undefined;
  const system = instructionsOf(attributes);
  const read = system.length === 0 ? input.items : [...itemsOfMessages(system), ...input.items];
  return exchange(read, itemsOfMessages(chosen(output.messages), 'assistant'), {
    finish: finishOf(output.messages),
    isCut: input.isCut || output.isCut,
  });
}

/** The instructions of a span as a message; they may stand on the agent's span and not on its model's. */
export function instructionsOf(attributes: JsonObject): readonly JsonObject[] {
  const given = attributes['gen_ai.system_instructions'];
  if (given === undefined) return none;
  const { messages } = messageList(given);
  return messages.length === 0 ? none : [{ role: 'system', parts: messages }];
}
const none: readonly JsonObject[] = [];

/** Several answers that each say why they ended are choices, of which the first counts; else they are one run. */
function chosen(messages: readonly unknown[]): readonly unknown[] {
  if (messages.length < 2) return messages;
  const ends = messages.filter((message) => textOf(fieldsOf(message)['finish_reason']) !== undefined);
  return ends.length > 1 && ends.length === messages.length && !messages.some(hasCall)
    ? messages.slice(0, 1)
    : messages;
}

const hasCall = (message: unknown) =>
  listOf(fieldsOf(message)['parts']).some((part) => /^tool_call/.test(written(fieldsOf(part)['type'])));
const reasonOf = (message: unknown) => (isObject(message) ? textOf(message['finish_reason']) : undefined);
const finishOf = (messages: readonly unknown[]) => reasonOf(messages.findLast((one) => reasonOf(one) !== undefined));
