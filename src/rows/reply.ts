import { isObject, type JsonObject } from '../core/json-object.ts';
import { type CallMade, callsMade } from './calls-made.ts';
import { messageText } from './content-text.ts';
import { conversationOf } from './conversation.ts';

/** What the agent said and did in a row. */
export interface Reply {
  /** `messages` of the row when it has some, else rebuilt from prompt, steps and final text. */
  readonly messages: readonly JsonObject[];
  readonly calls: readonly CallMade[];
  readonly finalText: string;
  /** Words of each assistant message, in order; empty for a turn that only calls. */
  readonly turns: readonly string[];
  /** Everything the agent said: the final text, then the turns that differ from it, one a line. */
  readonly said: string;
  /** Characters of all assistant messages, and of the final text when the last of them is another. */
  readonly length: number;
}

const known = new WeakMap<JsonObject, Reply>();

/** Read what the agent said and did. Kept while the row object lives: rows are read-only, and every report asks for it. */
export function replyOf(row: JsonObject): Reply {
  const before = known.get(row);
  if (before) return before;
  const given = objectsIn(row['messages']);
  const messages = given.length > 0 ? given : conversationOf(row);
  const finalText = typeof row['final_text'] === 'string' ? row['final_text'] : '';
  const turns: string[] = [];
  let said = finalText;
  let length = 0;
  for (const message of messages) {
    if (message['role'] !== 'assistant') continue;
    const text = messageText(message);
    turns.push(text);
    length += text.length;
    if (text !== finalText && text !== '') said += said === '' ? text : `\n${text}`;
  }
  if (finalText !== turns.at(-1)) length += finalText.length;
  const reply: Reply = { messages, calls: callsMade(row), finalText, turns, said, length };
  known.set(row, reply);
  return reply;
}

/** The objects of a list: the list itself where it holds nothing else, as most do. */
function objectsIn(list: unknown): readonly JsonObject[] {
  if (!Array.isArray(list)) return [];
  return list.every(isObject) ? list : list.filter(isObject);
}
