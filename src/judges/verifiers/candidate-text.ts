import { isObject, type JsonObject } from '../../core/json-object.ts';
import { messageText } from '../../rows/content-text.ts';

/** The text that is checked: `final_text`, else the words of the last assistant message, else `''`. */
export function candidateText(row: JsonObject): string {
  const { final_text, messages } = row;
  if (final_text) return String(final_text);
  if (!Array.isArray(messages)) return '';
  const last: unknown = messages.findLast((message: unknown) => isObject(message) && message['role'] === 'assistant');
  return isObject(last) ? messageText(last) : '';
}
