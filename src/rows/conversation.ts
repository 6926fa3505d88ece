import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { canonicalStep } from './canonical-step.ts';
import { plainText } from './plain-text.ts';

/** A chat message as a row carries it: calls are `{name, arguments}`, flat. */
export type Message = JsonObject & { readonly role: string; readonly content: string };

/**
 * Build the messages of a row from `opener`, `prompt`, `steps` and `final_text`. The graded reply, when nobody said it
 * yet, is the last assistant message; a user turn that was never answered is dropped, the ask itself never.
 *
 * @source house rule
 */
export function conversationOf(row: JsonObject): readonly Message[] {
  const opener = plainText(row['opener']);
  const prompt = plainText(row['prompt']);
  const steps = Array.isArray(row['steps']) ? row['steps'].filter(isObject) : [];
  const opening = [...(opener === '' ? [] : [assistant(opener)]), ...(prompt === '' ? [] : [user(prompt)])];
  const messages = [...opening, ...steps.flatMap(turnsOf)];
  const reply = plainText(row['final_text']);
  if (reply !== '' && !messages.some(({ role, content }) => role === 'assistant' && content === reply))
    return [...messages.slice(0, isBlankTurn(messages.at(-1)) ? -1 : undefined), assistant(reply)];
  const asked = Math.max(opening.length, 1);
  if (!reply.startsWith('<agent error'))
    while (messages.length > asked && messages.at(-1)?.role === 'user') messages.pop();
  return messages;
}

function turnsOf(given: JsonObject): Message[] {
  const step = canonicalStep(given);
  const said = plainText(step['user']);
  if (said !== '') return [user(said)];
  const text = plainText(step['text']);
  const { tool, result } = step;
  if (!tool) return text === '' ? [] : [assistant(text)];
  const content = typeof result === 'string' ? result : stringifyJson(result ?? null);
  const call = { name: tool, arguments: step['arguments'] || step['arguments_raw'] || {} };
  return [
    { role: 'assistant', content: text, tool_calls: [call] },
    { role: 'tool', name: tool, content },
  ];
}

/** An agent's turn without words or calls: the reply fills it. */
const isBlankTurn = (last: Message | undefined) =>
  last?.role === 'assistant' && !('tool_calls' in last) && last.content.trim() === '';
const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
