import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { finishReason } from '../otlp/span-facts.ts';
import { payloadOf } from '../payload.ts';
import { toolsOf } from '../tool-definition.ts';

const isResponse = (value: unknown): value is JsonObject =>
  isObject(value) &&
  ((value['object'] === 'response' && Array.isArray(value['output'])) ||
    (written(value['object']).startsWith('chat.completion') && Array.isArray(value['choices'])) ||
    (value['type'] === 'message' && value['role'] === 'assistant' && Array.isArray(value['content'])) ||
    Array.isArray(value['candidates']));

/** One answer of a model provider as it came: Responses, chat completions, Anthropic messages, Gemini candidates. */
export const providerResponse: FileFormat = {
  name: 'provider-response',
  unit: 'record',
  detect: ({ first }) => isResponse(first),
  read(value) {
    if (!isResponse(value)) return rejected('invalid_record', value);
    const { messages, finish } = payloadOf(value, 'assistant');
    const house = itemsOfMessages([{ role: 'system', content: value['instructions'] }]);
    const items = itemsOfMessages(messages, 'assistant');
    if (items.length === 0) return rejected('empty_conversation', value);
    const usage = fieldsOf(value['usage']);
    const tools = toolsOf(value['tools']);
    return rowFinding({
      ...conversationFrom([...house, ...items], { detailed: true }),
      ...present({
        response_id: textOf(value['id']),
        model_version: textOf(value['model']),
        finish_reason: finishReason(finish ?? value['stop_reason']),
        tools: tools.length > 0 ? tools : undefined,
        usage: isObject(value['usage'])
          ? present({
              input_tokens: numberOf(usage['input_tokens'] ?? usage['prompt_tokens']),
              output_tokens: numberOf(usage['output_tokens'] ?? usage['completion_tokens']),
            })
          : undefined,
      }),
    });
  },
};
