import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

/** The same turns with the arguments of calls as objects: chat templates write them as JSON themselves. */
export function trlMessages(messages: unknown): readonly JsonObject[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map((message) => {
    const calls = message['tool_calls'];
    return Array.isArray(calls) ? { ...message, tool_calls: calls.map(objectCall) } : message;
  });
}

function objectCall(call: unknown): unknown {
  if (!isObject(call) || !isObject(call['function'])) return call;
  const { arguments: given } = call['function'];
  if (typeof given !== 'string') return call;
  try {
    return { ...call, function: { ...call['function'], arguments: parseJson(given) } };
  } catch {
    return call; // the round-trip check says so
  }
}
