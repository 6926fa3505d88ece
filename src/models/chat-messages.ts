import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/** Write the messages of a row as chat completions take them: calls as functions with JSON text, results under call ids. */
export function chatMessages(messages: readonly JsonObject[]): JsonObject[] {
  const waiting: string[] = [];
  return messages.map((message, at) => {
    const { role, content, tool_calls, tool_call_id } = message;
    if (role === 'tool') {
      const next = waiting.shift();
      return { role, content, tool_call_id: tool_call_id ?? next ?? `call_${at}` };
    }
    if (!Array.isArray(tool_calls) || tool_calls.length === 0) return { role, content };
    const calls = tool_calls.filter(isObject).map((call, n) => chatCall(call, `call_${at}_${n}`));
    waiting.push(...calls.map(({ id }) => id));
    return { role, content: content ?? '', tool_calls: calls };
  });
}

function chatCall(call: JsonObject, id: string) {
  const inner = isObject(call['function']) ? call['function'] : call;
  const { name, arguments: given } = inner;
  const text = typeof given === 'string' ? given : stringifyJson(given ?? {});
  return { id: String(call['id'] ?? id), type: 'function', function: { name, arguments: text } };
}
