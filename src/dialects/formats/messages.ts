import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, numberOf, present } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
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
    const items = itemsOfMessages(listOf(messages));
    if (items.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(tools ?? functions);
    return rowFinding({
      ...rest,
      ...conversationFrom(items, { detailed: true }),
      ...present({
        ...rewardFields(reward),
        tools: declared.length > 0 ? declared : undefined,
        loss_weights: lossWeights(listOf(messages)),
      }),
    });
  },
};

/** The weight of each message in the loss, null where the file says none; undefined when it never does. */
function lossWeights(messages: readonly unknown[]): readonly (number | null)[] | undefined {
  const weights = messages.map((message) => {
    const { loss_weight, weight } = fieldsOf(message);
    return numberOf(loss_weight) ?? numberOf(weight) ?? null;
  });
  return weights.some((weight) => weight !== null) ? weights : undefined;
}
