import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { payloadOf } from '../payload.ts';
import { toolsOf } from '../tool-definition.ts';

const isEvalSet = (value: unknown): value is JsonObject => isObject(value) && Array.isArray(value['eval_cases']);

/** Evaluation sets of Google ADK: each case is a conversation of turns with the calls made in between. */
export const adkEvalSet: FileFormat = {
  name: 'adk-evalset',
  unit: 'record',
  detect: ({ first }) => isEvalSet(first),
  read(value) {
    if (!isEvalSet(value)) return rejected('invalid_record', value);
    return listOf(value['eval_cases']).flatMap((one) => {
      const turns = listOf(fieldsOf(one)['conversation']).map(fieldsOf);
      const items = itemsOfMessages(turns.flatMap(messagesOf));
      if (items.length === 0) return rejected('empty_conversation', one);
      const id = fieldsOf(one)['eval_id'];
      return rowFinding({
        ...conversationFrom(items, { detailed: true }),
        ...present({ task_id: id === undefined ? undefined : written(id), eval_set: textOf(value['eval_set_id']) }),
      });
    });
  },
};

function messagesOf({ user_content, intermediate_data, final_response }: JsonObject): unknown[] {
  const between = fieldsOf(intermediate_data);
  const uses = listOf(between['tool_uses']).map((call) => ({ function_call: call }));
  const answers = listOf(between['tool_responses']).map((response) => ({ function_response: response }));
  // an intermediate response is a pair: who spoke, and the parts
  const spoken = listOf(between['intermediate_responses']).map((pair) => ({
    role: 'model',
    parts: listOf(listOf(pair)[1]),
  }));
  const events = listOf(between['invocation_events']).map((event) => ({
    role: 'model',
    ...fieldsOf(fieldsOf(event)['content']),
  }));
  const calls = uses.length > 0 ? [{ role: 'model', parts: uses }] : [];
  const results = answers.length > 0 ? [{ role: 'model', parts: answers }] : [];
  const reply = isObject(final_response) ? [{ ...final_response, role: 'model' }] : [];
  return [{ role: 'user', ...fieldsOf(user_content) }, ...calls, ...results, ...events, ...spoken, ...reply];
}

const isSession = (value: unknown): value is JsonObject =>
  isObject(value) &&
  Array.isArray(value['events']) &&
  value['events'].some((event) => isObject(event) && isObject(event['content']) && 'author' in event);

/** Sessions of Google ADK: events by author. The log of model requests beside them repeats calls and adds none. */
export const adkSession: FileFormat = {
  name: 'adk-session',
  unit: 'record',
  detect: ({ first }) => isSession(first),
  read(value) {
    if (!isSession(value)) return rejected('invalid_record', value);
    const events = listOf(value['events']).map((event) => fieldsOf(event)['content']);
    const items = itemsOfMessages(events);
    if (items.length === 0) return rejected('empty_conversation', value);
    const log = listOf(value['event_logs']).map(fieldsOf);
    const config = fieldsOf(fieldsOf(log.at(-1)?.['model_request'])['config']);
    const tools = toolsOf(config['tools']);
    const talk = conversationFrom(items, { detailed: true });
    return rowFinding({
      ...talk,
      ...present({
        conversation_id: textOf(value['id']),
        system_prompt: talk.system_prompt ?? textOf(config['system_instruction']),
        model_version: textOf(fieldsOf(log.at(-1)?.['model_request'])['model']),
        tools: tools.length > 0 ? tools : undefined,
        calls_restated: restated(log),
      }),
    });
  },
};

/** How often the log of requests and responses repeats a call of the session. */
function restated(log: readonly JsonObject[]): number | undefined {
  const said = log.flatMap(({ model_request, model_response }) => [
    ...payloadOf(model_request, 'user').messages,
    ...payloadOf(model_response, 'assistant').messages,
  ]);
  const calls = itemsOfMessages(said).filter(({ kind }) => kind === 'call');
  return calls.length > 0 ? calls.length : undefined;
}
