import { entryOf, fieldsOf, firstOf, isObject, type JsonObject, textOf } from '../fields.ts';
import { containerOf } from '../json-text.ts';
import { messageList } from '../message-list.ts';
import type { SpanEvent } from '../otlp/span-view.ts';
import { exchangeOf, type SpanDialect } from './exchange.ts';

const roles: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/** OpenTelemetry GenAI conventions 1.28 to 1.36: an event for each message, as span event or as log record. */
export const otelEvents: SpanDialect = {
  name: 'otel-events',
  read({ events }) {
    const given = events.flatMap((event) => {
      const role = entryOf(roles, event.name);
      return role === undefined ? [] : [{ role, ...fieldsOfEvent(event) }];
    });
    const choices = events.filter(({ name }) => name === 'gen_ai.choice').map(fieldsOfEvent);
    const choice = choices.find((one) => Number(one['index'] ?? 0) === 0);
    const message = choice && {
      role: 'assistant',
      ...fieldsOf(containerOf(choice['message'] ?? choice)),
      ...callsOf(choice),
    };
    return exchangeOf(given, message ? [message] : [], { finish: textOf(choice?.['finish_reason']) });
  },
};

/** The calls of a choice stand in its message, or beside it. */
const callsOf = (choice: JsonObject) => {
  const inside = fieldsOf(containerOf(choice['message']))['tool_calls'];
  return inside === undefined && choice['tool_calls'] !== undefined ? { tool_calls: choice['tool_calls'] } : {};
};

/** What an event says stands in its body, in one JSON attribute, or in attributes of its own. */
function fieldsOfEvent({ attributes, body }: SpanEvent): JsonObject {
  const said = containerOf(firstOf(attributes, ['gen_ai.event.content']));
  const read = isObject(body) ? body : isObject(containerOf(body)) ? fieldsOf(containerOf(body)) : fieldsOf(said);
  return { ...attributes, ...read };
}

/** OpenTelemetry GenAI conventions up to 1.27: two events that hold the prompt and the completion as JSON text. */
export const otelContent: SpanDialect = {
  name: 'otel-content',
  read({ events }) {
    const of = (name: string, key: string) =>
      events.filter((event) => event.name === name).flatMap(({ attributes }) => messageList(attributes[key]).messages);
    return exchangeOf(
      of('gen_ai.content.prompt', 'gen_ai.prompt'),
      of('gen_ai.content.completion', 'gen_ai.completion'),
    );
  },
};
