import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, present, textOf } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import type { Item } from '../item.ts';
import { itemsOfMessages } from '../message-items.ts';

const isTrajectory = (value: unknown): value is JsonObject =>
  isObject(value) &&
  Array.isArray(value['history']) &&
  value['history'].some((one) => isObject(one) && 'role' in one && 'agent' in one);
/** How a run ends that spent what it was given. */
const spent = /exit_(cost|context|max|token|format)|limit/i;

/**
 * Trajectories of SWE-agent. Where the agent calls functions they are calls; where it writes its action into its text,
 * fenced or as XML, the text says so (`action`) and the environment's answer is a turn marked `observation`, which is
 * what the model saw. Demonstrations are no part of the run.
 */
export const sweAgent: FileFormat = {
  name: 'swe-agent',
  unit: 'record',
  detect: ({ first }) => isTrajectory(first),
  read(value) {
    if (!isTrajectory(value)) return rejected('invalid_record', value);
    const history = listOf(value['history']).filter((one) => isObject(one) && one['is_demo'] !== true);
    const items = [...history.flatMap(itemsOf(history)), ...unheard(history, listOf(value['trajectory']))];
    if (items.length === 0) return rejected('empty_conversation', value);
    const info = fieldsOf(value['info']);
    const status = textOf(info['exit_status']);
    const stats = fieldsOf(info['model_stats']);
    return rowFinding({
      ...conversationFrom(items, { detailed: true }),
      ...present({
        exit_status: status,
        submission: textOf(info['submission']),
        finish_reason: status === undefined ? undefined : spent.test(status) ? 'length' : 'stop',
        usage: stats['tokens_sent']
          ? { input_tokens: stats['tokens_sent'], output_tokens: stats['tokens_received'] }
          : undefined,
      }),
    });
  },
};

/** Read one message in its place: after an action that is no call, a user message is what the environment answered. */
function itemsOf(history: readonly unknown[]): (message: unknown, n: number) => Item[] {
  return (message, n) => {
    const { role, tool_calls, action, tool_call_ids, ...rest } = fieldsOf(message);
    const before = fieldsOf(history[n - 1]);
    if (role === 'assistant' && !Array.isArray(tool_calls)) {
      const said = itemsOfMessages([message], 'assistant');
      const done = textOf(action)?.trim();
      return said.map((item) => (item.kind === 'text' && done ? { ...item, action: done } : item));
    }
    if (role === 'user' && before['role'] === 'assistant' && textOf(before['action']) !== undefined)
      return itemsOfMessages([message]).map((item) =>
        item.kind === 'user' ? { ...item, observation: 'output' } : item,
      );
    const [id] = listOf(tool_call_ids);
    return itemsOfMessages([id === undefined ? message : { ...rest, role, tool_call_id: id }]);
  };
}

/** The last actions of a run, which no model saw answered any more, stand in its trajectory alone. */
function unheard(history: readonly unknown[], trajectory: readonly unknown[]): Item[] {
  const turns = history.map(fieldsOf).filter(({ role }) => role === 'assistant');
  if (turns.some(({ tool_calls }) => Array.isArray(tool_calls))) return [];
  return trajectory.slice(turns.length).flatMap((step): Item[] => {
    const { response, thought, action, observation } = fieldsOf(step);
    const done = textOf(action)?.trim();
    const said = textOf(response) ?? textOf(thought) ?? done ?? '';
    const answer = textOf(observation);
    return [
      { kind: 'text', text: said, ...(done === undefined ? {} : { action: done }) },
      ...(answer === undefined ? [] : [{ kind: 'user', text: answer, observation: 'output' } as const]),
    ];
  });
}
