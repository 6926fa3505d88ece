import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, type Finding, rejected, rowFinding } from '../format.ts';
import type { Item } from '../item.ts';
import { callOf } from '../message-parts.ts';

const isEvent = (value: unknown): value is JsonObject =>
  isObject(value) && (typeof value['action'] === 'string' || typeof value['observation'] === 'string');

/** Event lists of OpenHands: actions and observations, with the model's call beside them. */
export const openhandsEvents: FileFormat = {
  name: 'openhands-events',
  unit: 'file',
  detect: ({ container, values }) => container !== 'object' && values.length > 0 && values.every(isEvent),
  read: (values) => runOf(listOf(values), {}),
};

const isOutput = (value: unknown): value is JsonObject =>
  isObject(value) && Array.isArray(value['history']) && value['history'].flat().some(isEvent);

/** Outputs of OpenHands runs: an instruction and its history, in pairs or flat. Its own success is a claim and no reward. */
export const openhandsOutput: FileFormat = {
  name: 'openhands-output',
  unit: 'record',
  detect: ({ values }) => values.some(isOutput),
  read(value) {
    if (!isOutput(value)) return rejected('invalid_record', value);
    const { history, instance_id, success, error } = value;
    const failed = textOf(error);
    return runOf(
      listOf(history).flat(),
      present({
        task_id: instance_id === undefined ? undefined : written(instance_id),
        claimed_success: typeof success === 'boolean' ? success : undefined,
        error: failed === undefined ? undefined : { type: 'run_error', message: failed },
      }),
    );
  },
};

function runOf(events: readonly unknown[], facts: JsonObject): readonly Finding[] {
  const calls = new Set<string>();
  const items = events.flatMap((event) => (isEvent(event) ? itemsOf(event, calls) : []));
  if (items.length === 0) return rejected('empty_conversation', events);
  return rowFinding({ ...conversationFrom(items, { detailed: true }), ...facts });
}

function itemsOf(event: JsonObject, calls: Set<string>): Item[] {
  const args = { ...event, ...fieldsOf(event['args']) };
  const content = textOf(args['content']) ?? '';
  const { action, observation } = event;
  const metadata = fieldsOf(event['tool_call_metadata']);
  const id = textOf(metadata['tool_call_id']);
  if (observation !== undefined) return observed(written(observation), event, id);
  if (action === 'message' && (event['source'] ?? 'user') === 'user' && id === undefined)
    return content === '' ? [] : [{ kind: 'user', text: content }];
  if (action === 'system') return content === '' ? [] : [{ kind: 'system', text: content }];
  if (id !== undefined) return called(metadata, id, calls);
  const said = [textOf(args['thought']), action === 'message' ? content : codeOf(args)].filter(Boolean).join('\n');
  return said === ''
    ? []
    : [{ kind: 'text', text: said, ...(action === 'message' ? {} : { action: written(action) }) }];
}

/** What a bare action did, where no call says it. */
const codeOf = (args: JsonObject) => textOf(args['command']) ?? textOf(args['code']) ?? textOf(args['path']) ?? '';

function observed(name: string, event: JsonObject, id: string | undefined): Item[] {
  const text = written(event['content'] ?? '');
  if (id === undefined) return [{ kind: 'user', text, observation: name }];
  return [{ kind: 'result', id, value: text }];
}

/** The call as the model wrote it; the text of a reply is told once, with the first of its calls. */
function called(metadata: JsonObject, id: string, told: Set<string>): Item[] {
  const response = fieldsOf(metadata['model_response']);
  const message = fieldsOf(fieldsOf(listOf(response['choices'])[0])['message']);
  const made = listOf(message['tool_calls']).find((call) => fieldsOf(call)['id'] === id);
  const call = callOf(made ?? { id, name: metadata['function_name'] });
  const reply = written(response['id'] ?? id);
  const text = told.has(reply) ? undefined : textOf(message['content']);
  told.add(reply);
  return [...(text === undefined ? [] : [{ kind: 'text', text, leads: true } as const]), ...(call ? [call] : [])];
}
