import { stringifyJson } from '../../core/json.ts';
import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { rewardFields } from '../reward-fields.ts';
import { toolsOf } from '../tool-definition.ts';

const isSide = (value: unknown) => Array.isArray(value) || typeof value === 'string';
const isRollout = (value: unknown): value is JsonObject =>
  isObject(value) && isSide(value['prompt']) && isSide(value['completion']);

/** Rollouts of verifiers environments: a prompt and a completion, each messages or text, with rewards and metrics. */
export const verifiersRollouts: FileFormat = {
  name: 'verifiers',
  unit: 'record',
  detect: ({ first }) => isRollout(first),
  read(value) {
    if (!isRollout(value)) return rejected('invalid_record', value);
    const {
      prompt,
      completion,
      answer,
      schema_version: _theirs,
      trajectory: _turns,
      example_id,
      metrics,
      ...more
    } = value;
    const { tool_defs, tools, token_usage, is_truncated, reward, error, timing: _timing, ...rest } = more;
    const items = [...itemsOfMessages(sideOf(prompt)), ...itemsOfMessages(sideOf(completion), 'assistant')];
    if (items.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(tool_defs ?? tools);
    const usage = fieldsOf(token_usage);
    return rowFinding({
      ...rest,
      ...conversationFrom(items, { detailed: true }),
      ...present({
        scenario_id: example_id === undefined || example_id === null ? undefined : written(example_id),
        ...rewardFields(reward),
        markers: numbersOf(fieldsOf(metrics)),
        tools: declared.length > 0 ? declared : undefined,
        usage: isObject(token_usage)
          ? present({ input_tokens: numberOf(usage['input_tokens']), output_tokens: numberOf(usage['output_tokens']) })
          : undefined,
        finish_reason: endOf(is_truncated, error),
        error: error === undefined || error === null ? undefined : { type: 'rollout_error', message: messageOf(error) },
        privileged:
          answer === undefined || answer === null || answer === '' ? undefined : { reference: messageOf(answer) },
      }),
    });
  },
};

const sideOf = (side: unknown) => (typeof side === 'string' ? [side] : listOf(side));
const messageOf = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value));
const endOf = (isTruncated: unknown, error: unknown) =>
  textOf(error) !== undefined || isObject(error) ? 'error' : isTruncated === true ? 'length' : 'stop';

function numbersOf(metrics: JsonObject): JsonObject | undefined {
  const numbers = Object.entries(metrics).filter(([, value]) => numberOf(value) !== undefined);
  return numbers.length > 0 ? Object.fromEntries(numbers) : undefined;
}
