import { isObject, type JsonObject } from '../core/json-object.ts';
import { messageText } from './content-text.ts';
import { type Call, callsOf, failedResult, type Result, resultsOf, resultValue } from './tool-calls.ts';

/** A step while its conversation is read. */
type Step = Record<string, unknown>;
const people: ReadonlySet<unknown> = new Set(['user', 'human']);
const agents: ReadonlySet<unknown> = new Set(['assistant', 'model', 'ai']);
const tools: ReadonlySet<unknown> = new Set(['tool', 'function']);

/**
 * Read the steps of a conversation: `{user}`, `{tool, arguments, result}` and `{text}` in order. The words an agent says
 * before a call ride on the first call of that turn as `text`. A result goes to the call of its id, else to the oldest
 * open call of its name, else to the oldest open call, else it is a step of its own; a call that was never answered has
 * no `result`. System messages are no steps. What is no message is skipped; nothing throws.
 */
export function stepsFromMessages(messages: readonly unknown[]): readonly JsonObject[] {
  const steps: Step[] = [];
  const open: { readonly call: Call; readonly step: Step }[] = [];

  const answer = ({ id, name, result }: Result): void => {
    const byId = id === '' ? -1 : open.findIndex(({ call }) => call.id === id);
    const byName = byId < 0 && name !== '' ? open.findIndex(({ call }) => call.name === name) : byId;
    const [found] = open.splice(Math.max(byName, 0), 1); // the oldest one when neither is known
    if (found) found.step['result'] = result;
    else steps.push({ tool: name, arguments: {}, result });
  };
  const speak = (message: JsonObject): void => {
    const text = message['role'] === undefined ? '' : messageText(message);
    const calls = callsOf(message);
    if (calls.length === 0 && text !== '') steps.push({ text });
    calls.forEach((call, n) => {
      const { id: _, name, ...rest } = call;
      const step: Step = { tool: name, ...rest, ...(n === 0 && text !== '' ? { text } : {}) };
      steps.push(step);
      open.push({ call, step });
    });
  };

  for (const message of messages) {
    if (!isObject(message)) continue;
    const { role } = message;
    const carried = resultsOf(message);
    carried.forEach(answer);
    if (agents.has(role) || role === undefined)
      speak(message); // Responses items have no role
    else if (tools.has(role) && carried.length === 0) answer(toolMessage(message));
    else if (people.has(role)) {
      const user = messageText(message);
      if (user !== '') steps.push({ user });
    }
  }
  return steps;
}

function toolMessage(message: JsonObject): Result {
  const result = resultValue(message['content']);
  return {
    id: String(message['tool_call_id'] ?? message['tool_use_id'] ?? ''),
    name: String(message['name'] ?? ''),
    result: message['is_error'] === true ? failedResult(result) : result,
  };
}
