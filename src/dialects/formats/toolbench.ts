import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, numberOf, present, textOf } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { containerOf } from '../json-text.ts';
import { itemsOfMessages } from '../message-items.ts';
import { toolsOf } from '../tool-definition.ts';

const isAnswer = (value: unknown): value is JsonObject =>
  isObject(value) && isObject(value['answer_generation']) && 'win' in value;

/** Answers of ToolBench: every growing prefix of one run, of which the longest is the run; it ends by calling Finish. */
export const toolbench: FileFormat = {
  name: 'toolbench',
  unit: 'record',
  detect: ({ first }) => isAnswer(first),
  read(value) {
    if (!isAnswer(value)) return rejected('invalid_record', value);
    const answer = fieldsOf(value['answer_generation']);
    const prefixes = listOf(answer['train_messages']).filter((one): one is unknown[] => Array.isArray(one));
    const run = prefixes.reduce((longest, one) => (one.length > longest.length ? one : longest), []);
    const items = itemsOfMessages(run);
    if (items.length === 0) return rejected('empty_conversation', value);
    const talk = conversationFrom(items, { detailed: true });
    const tools = toolsOf(answer['function']);
    const final = textOf(fieldsOf(containerOf(answer['final_answer']))['final_answer']);
    return rowFinding({
      ...talk,
      ...present({
        final_text: final ?? talk.final_text,
        reward: typeof value['win'] === 'boolean' ? Number(value['win']) : undefined,
        ended_by: 'tool',
        finish_reason: 'stop',
        finish_type: textOf(answer['finish_type']),
        total_tokens: numberOf(answer['total_tokens']),
        tools: tools.length > 0 ? tools : undefined,
      }),
    });
  },
};
