import { parseJson } from '../core/json.ts';
import { isObject } from './fields.ts';

/** Messages read from an attribute. */
export interface MessageList {
  readonly messages: readonly unknown[];
  /** The text ended before its list did. */
  readonly isCut: boolean;
}

/**
 * Read a message list from an attribute: a list, one message, or the JSON text of either. Of a text that was cut at a
 * length limit the complete messages before the cut are recovered.
 */
export function messageList(value: unknown): MessageList {
  if (Array.isArray(value)) return { messages: value, isCut: false };
  if (isObject(value)) return { messages: [value], isCut: false };
  if (typeof value !== 'string' || value.trim() === '') return { messages: [], isCut: false };
  try {
    const parsed = parseJson(value);
    return typeof parsed === 'string' ? { messages: [parsed], isCut: false } : messageList(parsed);
  } catch {
    const start = value.trimStart();
    if (start.startsWith('[')) return { messages: completeElements(start), isCut: true };
    return { messages: start.startsWith('{') ? [] : [value], isCut: start.startsWith('{') };
  }
}

/** Texts, whose brackets mean nothing, and brackets. A text that was cut matches as far as it goes. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]]/g;

/** The complete elements of a JSON list that was cut. */
function completeElements(text: string): unknown[] {
  const elements: unknown[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (depth === 1) from = index;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
      if (depth === 1) elements.push(parsed(text.slice(from, index + 1)));
    }
  }
  return elements.filter((element) => element !== undefined);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // broken in itself: the ones around it still count
  }
}
