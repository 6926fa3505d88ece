import { stringifyJson } from '../../core/json.ts';
import { conversationFrom } from '../conversation.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, numberOf, present, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import type { Item } from '../item.ts';
import { itemsOfMessages } from '../message-items.ts';
import { rewardFields } from '../reward-fields.ts';

/** What the simulated user says to end a run, and the call after which the environment closes it. */
const stopWord = '###STOP###';
const closingTool = /^transfer_to_human/;

const isResult = (value: unknown) =>
  isObject(value) && Array.isArray(value['traj']) && value['task_id'] !== undefined && 'reward' in value;

/** Result files of tau-bench: an array of runs, several trials a task, with rewards. Most end on the user's stop word. */
export const tauBench: FileFormat = {
  name: 'tau-bench',
  unit: 'record',
  detect: ({ first }) => isResult(first),
  read(value) {
    if (!isResult(value)) return rejected('invalid_record', value);
    const run = value as JsonObject;
    const items = itemsOfMessages(listOf(run['traj']));
    if (items.length === 0) return rejected('empty_conversation', value);
    const info = fieldsOf(run['info']);
    const task = fieldsOf(info['task']);
    return rowFinding({
      ...conversationFrom(items, { detailed: true }),
      ...present({
        scenario_id: written(run['task_id']),
        task_id: written(run['task_id']),
        rollout_index: numberOf(run['trial']),
        ...rewardFields(run['reward']),
        usage_cost: numberOf(info['agent_cost']),
        error: firstOf(info, ['error']),
        privileged: keyOf(task),
      }),
      ...endOf(items),
    });
  },
};

/**
 * Say how a run ended. A stop word or a transfer closed it; one that has neither was cut at the step limit of its
 * environment, in the middle of what the agent was doing.
 */
function endOf(items: readonly Item[]): JsonObject {
  const last = items.at(-1);
  const calls = items.filter((item) => item.kind === 'call');
  if (last?.kind === 'user' && last.text.includes(stopWord)) return { ended_by: 'user', finish_reason: 'stop' };
  if (last?.kind === 'text') return { finish_reason: 'stop' };
  if (last?.kind === 'result' && closingTool.test(calls.at(-1)?.name ?? ''))
    return { ended_by: 'tool', finish_reason: 'stop' };
  return { finish_reason: 'length' };
}

/** The task's gold: the calls that solve it, and the brief that only the simulated user saw. */
function keyOf(task: JsonObject): JsonObject | undefined {
  const { actions, outputs, instruction } = task;
  if (actions === undefined && instruction === undefined) return undefined;
  return present({
    reference: actions === undefined ? undefined : stringifyJson(present({ actions, outputs })),
    hidden_state: instruction === undefined ? undefined : { user_instruction: instruction },
  });
}
