import { conversationFrom } from '../conversation.ts';
import { fieldsOf, isObject, type JsonObject, listOf, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';
import { toolsOf } from '../tool-definition.ts';

const isCall = (value: unknown): value is [string, unknown] =>
  Array.isArray(value) && value.length === 2 && /sessions\.(create|events)/.test(written(value[0]));

/** Recorded calls of a managed-agent client: the session's making, the events sent, the events streamed back. */
export const managedAgentEvents: FileFormat = {
  name: 'managed-agent-events',
  unit: 'file',
  detect: ({ container, first }) => container !== 'object' && isCall(first),
  read(values) {
    const calls = listOf(values).filter(isCall);
    const agent = fieldsOf(fieldsOf(calls.find(([name]) => name.endsWith('.create'))?.[1])['agent']);
    const events = eventsOf(calls);
    const items = itemsOfMessages([...house(agent), ...events.flatMap(messageOf)]);
    if (items.length === 0) return rejected('empty_conversation', values);
    const tools = toolsOf(agent['tools']);
    return rowFinding({
      ...conversationFrom(items, { detailed: true }),
      ...present({
        conversation_id: sessionOf(calls),
        agent: textOf(agent['name']),
        model_version: textOf(fieldsOf(agent['model'])['id']) ?? textOf(agent['model']),
        tools: tools.length > 0 ? tools : undefined,
        usage: usageOf(events),
      }),
    });
  },
};

const house = (agent: JsonObject) => (textOf(agent['system']) ? [{ role: 'system', content: agent['system'] }] : []);
const sessionOf = (calls: readonly [string, unknown][]) =>
  calls.flatMap(([, given]) => (Array.isArray(given) ? (textOf(given[0]) ?? []) : []))[0];

/** The stream tells everything once it runs; what was sent counts only where the stream does not repeat it. */
function eventsOf(calls: readonly [string, unknown][]): JsonObject[] {
  const streamed = calls.filter(([name]) => name.endsWith('.stream')).map(([, event]) => fieldsOf(event));
  if (streamed.some(({ type }) => written(type).startsWith('user.'))) return streamed;
  return calls.flatMap(([name, given]) =>
    name.endsWith('.stream') ? [fieldsOf(given)] : listOf(fieldsOf(listOf(given)[1])['events']).filter(isObject),
  );
}

function messageOf(event: JsonObject): unknown[] {
  const { type, content, id, name, input, custom_tool_use_id, tool_use_id, is_error } = event;
  if (type === 'user.message') return [{ role: 'user', content }];
  if (type === 'agent.message') return [{ role: 'assistant', content }];
  if (/^agent\.\w*tool_use$/.test(written(type)))
    return [{ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }];
  if (/^(user|agent)\.\w*tool_result$/.test(written(type)))
    return [{ role: 'tool', tool_call_id: custom_tool_use_id ?? tool_use_id, content, is_error }];
  return [];
}

function usageOf(events: readonly JsonObject[]): JsonObject | undefined {
  const used = events
    .filter(({ type }) => type === 'span.model_request_end')
    .map((event) => fieldsOf(event['model_usage']));
  if (used.length === 0) return undefined;
  const sum = (name: string) => used.reduce((total, one) => total + (numberOf(one[name]) ?? 0), 0);
  return { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') };
}
