import { stringifyJson } from '../../core/json.ts';
import { conversationFrom } from '../conversation.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { rewardFields } from '../reward-fields.ts';
import { toolsOf } from '../tool-definition.ts';

const isRollout = (value: unknown): value is JsonObject =>
  isObject(value) && isObject(value['responses_create_params']) && isObject(value['response']);
/** What the verifier of an environment knows and the agent does not. */
const goldNames = ['expected_action', 'expected_calls', 'ground_truth', 'expected_answer', 'answer', 'sql', 'task'];
const closingWord = /^#{3}\w+#{3}$/;

/** Rollouts of NeMo Gym: a Responses request with the turns so far, the response with what followed, a reward. */
export const nemoGym: FileFormat = {
  name: 'nemo-gym',
  unit: 'record',
  detect: ({ first }) => isRollout(first),
  read(value) {
    if (!isRollout(value)) return rejected('invalid_record', value);
    const request = fieldsOf(value['responses_create_params']);
    const response = fieldsOf(value['response']);
    const { input } = request;
    const before = itemsOfMessages(typeof input === 'string' ? [input] : listOf(input)).map((item) =>
      item.kind === 'call' ? { ...item, given: true } : item,
    );
    const after = itemsOfMessages(listOf(response['output']), 'assistant');
    const items = [...before, ...after].filter((item) => item.kind !== 'text' || item.text.trim() !== '');
    if (items.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(request['tools']);
    const last = items.at(-1);
    const gold = goldOf(value);
    return rowFinding({
      ...conversationFrom(items, { detailed: true }),
      ...present({
        scenario_id: idOf(value),
        rollout_index: numberOf(firstOf(value, ['_ng_rollout_index', 'rollout_index'])),
        ...rewardFields(value['reward']),
        reason: textOf(firstOf(value, ['category', 'failure_reason'])),
        model_version: textOf(response['model']),
        usage: usageOf(fieldsOf(response['usage'])),
        tools: declared.length > 0 ? declared : undefined,
        finish_reason: endOf(response),
        ended_by: last?.kind === 'user' && closingWord.test(last.text.trim()) ? 'user' : undefined,
        privileged: gold,
      }),
    });
  },
};

function idOf(value: JsonObject): string | undefined {
  const task = fieldsOf(value['task'])['id'];
  const id = firstOf(value, ['id', 'uuid', 'task_id']) ?? task ?? value['_ng_task_index'];
  return id === undefined || id === null ? undefined : written(id);
}

function endOf(response: JsonObject): string | undefined {
  if (textOf(fieldsOf(response['error'])['message']) !== undefined) return 'error';
  const cut = textOf(fieldsOf(response['incomplete_details'])['reason']);
  if (cut !== undefined) return cut === 'max_output_tokens' ? 'length' : 'error';
  return response['status'] === 'completed' ? 'stop' : undefined;
}

function goldOf(value: JsonObject): JsonObject | undefined {
  const found = goldNames.filter((name) => value[name] !== undefined && value[name] !== null);
  if (found.length === 0) return undefined;
  return { reference: stringifyJson(Object.fromEntries(found.map((name) => [name, value[name]]))) };
}

function usageOf({ input_tokens, output_tokens }: JsonObject): JsonObject | undefined {
  const usage = present({ input_tokens: numberOf(input_tokens), output_tokens: numberOf(output_tokens) });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
