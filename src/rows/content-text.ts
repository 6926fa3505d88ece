import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/**
 * Read the words of a message's `content`: text as it is, the text blocks of a block list joined by newlines, `''` for
 * null; a refusal is words. Reasoning, calls, results and media are not words. Any other value is its JSON text.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (Array.isArray(content)) return content.map(blockText).filter(Boolean).join('\n');
  return isObject(content) && textTypes.has(content['type']) ? blockText(content) : stringifyJson(content);
}

/**
 * Read the words of a message: its content, or its Gemini `parts`; where these say nothing, why the model refuses. A refusal is
 * what the model said.
 */
export function messageText(message: JsonObject): string {
  const text = contentText(message['content'] ?? message['parts']);
  const { refusal } = message;
  return text === '' && typeof refusal === 'string' ? refusal : text;
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (isObject(block) && block['type'] === 'refusal')
    return typeof block['refusal'] === 'string' ? block['refusal'] : '';
  if (!isObject(block) || !(textTypes.has(block['type']) || isBare(block))) return '';
  const text = block['text'] ?? block['content'];
  return typeof text === 'string' ? text : '';
}

/** Gemini parts have no type: `{text}`. */
const isBare = (block: object) => !('type' in block) && 'text' in block && !('thought' in block);
