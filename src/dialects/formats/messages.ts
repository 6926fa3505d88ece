import { conversationFrom } from '../conversation.ts';
import { isObject, type JsonObject, listOf, present } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { weightedItems } from '../loss-weights.ts';
import { rewardFields } from '../reward-fields.ts';
import { toolsOf } from '../tool-definition.ts';

const isChat = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value['messages']) &&
  value['messages'].some((one) => isObject(one) && ('role' in one || 'from' in one || 'type' in one));

/** Rows of messages as chat models are trained and logged: OpenAI, Anthropic, content blocks with loss weights. */
export const messageRows: FileFormat = {
  name: 'messages',
  unit: 'record',
  detect: ({ values }) => values.some(isChat),
  read(value) {
    if (!isChat(value)) return rejected('invalid_record', value);
    const { messages, tools, functions, reward, ...rest } = value as JsonObject;
    const items = weightedItems(listOf(messages));
    if (items.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(tools ?? functions);
    return rowFinding({
      ...rest,
      ...conversationFrom(items, { detailed: true }),
      ...present({
        ...rewardFields(reward),
        tools: declared.length > 0 ? declared : undefined,
      }),
    });
  },
};
