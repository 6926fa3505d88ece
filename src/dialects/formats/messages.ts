import { conversationFrom } from '../conversation.ts';
import { isObject, type JsonObject, listOf, present, textOf } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { weightedItems } from '../loss-weights.ts';
import { itemsOfMessages } from '../message-items.ts';
import { rewardFields } from '../reward-fields.ts';
import { toolsOf } from '../tool-definition.ts';

const isChat = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value['messages']) &&
  value['messages'].some((one) => isObject(one) && ('role' in one || 'from' in one || 'type' in one));

/**
 * Rows of messages as chat models are trained and logged: OpenAI, Anthropic with its `system` beside the messages, content
 * blocks with loss weights.
 */
export const messageRows: FileFormat = {
  name: 'messages',
  unit: 'record',
  detect: ({ values }) => values.some(isChat),
  read(value) {
    if (!isChat(value)) return rejected('invalid_record', value);
    const { messages, tools, functions, reward, system, model, ...rest } = value as JsonObject;
    const house = itemsOfMessages([{ role: 'system', content: system }]);
    const talk = weightedItems(listOf(messages));
    if (talk.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(tools ?? functions);
    return rowFinding({
      ...rest,
      ...(house.length > 0 || system === undefined ? {} : { system }),
      ...conversationFrom([...house, ...talk], { detailed: true }),
      ...present({
        model_version: rest['model_version'] ?? textOf(model),
        model: textOf(model) === undefined || rest['model_version'] !== undefined ? model : undefined,
        ...rewardFields(reward),
        tools: declared.length > 0 ? declared : undefined,
      }),
    });
  },
};
