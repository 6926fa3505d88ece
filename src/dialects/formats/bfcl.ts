import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, isObject, type JsonObject, listOf, present, written } from '../fields.ts';
import { type FileFormat, rejected } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { toolsOf } from '../tool-definition.ts';

const isQuestion = (value: unknown): value is JsonObject =>
  isObject(value) && value['id'] !== undefined && Array.isArray(value['question']);
const isAnswer = (value: unknown): value is JsonObject =>
  isObject(value) && value['id'] !== undefined && Array.isArray(value['ground_truth']) && !('question' in value);

/** Questions of the Berkeley function-calling list: turns of user messages, with functions or a state to start from. */
export const bfclQuestions: FileFormat = {
  name: 'bfcl-questions',
  unit: 'record',
  detect: ({ first }) => isQuestion(first),
  read(value) {
    if (!isQuestion(value)) return rejected('invalid_record', value);
    const { id, question, function: functions, initial_config, ground_truth, path: _key, ...rest } = value;
    const turns = listOf(question).map((turn) => (Array.isArray(turn) ? turn : [turn]));
    const tools = toolsOf(functions);
    return [
      {
        kind: 'task',
        task: {
          ...rest,
          ...present({
            world_seed: initial_config,
            system_prompt: asked(turns.flat(), 'system'),
            tools: tools.length > 0 ? tools : undefined,
            privileged: ground_truth === undefined ? undefined : { reference: stringifyJson(ground_truth) },
          }),
          task_id: written(id),
          prompt: asked(turns[0] ?? [], 'user') ?? '',
          turns,
        },
      },
    ];
  },
};

/** What one role says in a turn, several messages as lines. */
function asked(messages: readonly unknown[], kind: 'user' | 'system'): string | undefined {
  const texts = itemsOfMessages(messages).flatMap((item) => (item.kind === kind ? [item.text] : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** Their gold: the calls of each question, as objects or as text. */
export const bfclAnswers: FileFormat = {
  name: 'bfcl-answers',
  unit: 'record',
  detect: ({ first }) => isAnswer(first),
  read(value) {
    if (!isAnswer(value)) return rejected('invalid_record', value);
    const { id, ground_truth } = value;
    return [{ kind: 'label', label: { task_id: written(id), expected_calls: listOf(ground_truth).flat() } }];
  },
};

const isTauTask = (value: unknown): value is JsonObject =>
  isObject(value) && value['id'] !== undefined && isObject(value['user_scenario']);

/** Task lists of tau2-bench: who calls, why, from which state, and what would solve it. */
export const tauTasks: FileFormat = {
  name: 'tau2-tasks',
  unit: 'record',
  detect: ({ first }) => isTauTask(first),
  read(value) {
    if (!isTauTask(value)) return rejected('invalid_record', value);
    const { id, ticket, user_scenario, initial_state, evaluation_criteria, description } = value;
    const scene = fieldsOf(fieldsOf(user_scenario)['instructions']);
    const criteria = fieldsOf(evaluation_criteria);
    return [
      {
        kind: 'task',
        task: present({
          task_id: written(id),
          prompt: written(ticket ?? scene['reason_for_call'] ?? ''),
          purpose: fieldsOf(description)['purpose'] ?? undefined,
          domain: scene['domain'] ?? undefined,
          world_seed: initial_state ?? undefined,
          expected_actions: listOf(criteria['actions']),
          privileged: {
            reference: stringifyJson(criteria),
            hidden_state: { user_scenario },
          },
        }),
      },
    ];
  },
};
