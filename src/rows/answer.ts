import { isObject, type JsonObject } from '../core/json-object.ts';
import { messageText } from './content-text.ts';

/**
 * Read what the agent answered in the end: `final_text` unless it is blank, else the last assistant message that is not.
 * `''` when the row has one of the two fields but no words; undefined when it has neither.
 */
export function answerOf(row: JsonObject): string | undefined {
  const { final_text, messages } = row;
  if (typeof final_text === 'string' && final_text.trim() !== '') return final_text;
  if (isMissing(final_text) && isMissing(messages)) return undefined;
  const said = Array.isArray(messages) ? messages.map(wordsOf) : [];
  return said.findLast((words) => words.trim() !== '') ?? '';
}

const isMissing = (value: unknown) => value === undefined || value === null;
const wordsOf = (message: unknown) =>
  isObject(message) && message['role'] === 'assistant' ? messageText(message) : '';
