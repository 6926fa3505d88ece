import { fieldsOf, type JsonObject, listOf, written } from '../fields.ts';
import { indexedList } from '../indexed-attributes.ts';
import { exchangeOf, type SpanDialect } from './exchange.ts';

/** OpenInference (Phoenix): flattened messages below `llm.input_messages` and `llm.output_messages`. */
export const openinference: SpanDialect = {
  name: 'openinference',
  read({ attributes }) {
    const given = indexedList(attributes, 'llm.input_messages').map(messageOf);
    const answered = indexedList(attributes, 'llm.output_messages').map(messageOf);
    const finish = attributes['llm.finish_reason'];
    return exchangeOf(given, chosen(answered), { finish: finish === undefined ? undefined : written(finish) });
  },
};

function messageOf(entry: unknown): JsonObject {
  const { contents, tool_calls, function_call_name, function_call_arguments_json, ...message } = fieldsOf(
    fieldsOf(entry)['message'] ?? entry,
  );
  const parts = listOf(contents).map((content) => {
    const part = fieldsOf(fieldsOf(content)['message_content'] ?? content);
    return { ...part, ...fieldsOf(part['tool_call'] ?? fieldsOf(content)['tool_call']) };
  });
  const calls = listOf(tool_calls).map((call) => fieldsOf(call)['tool_call'] ?? call);
  const legacy =
    function_call_name === undefined ? {} : { name: function_call_name, arguments: function_call_arguments_json };
  return {
    ...message,
    ...(parts.length > 0 ? { content: parts } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...('name' in legacy ? { function_call: legacy } : {}),
  };
}

/** Several plain answers are choices, of which the first counts. */
function chosen(messages: readonly JsonObject[]): readonly JsonObject[] {
  const plain = messages.every((one) => typeof one['content'] === 'string' && one['tool_calls'] === undefined);
  return plain ? messages.slice(0, 1) : messages;
}
