import { stringifyJson } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';

const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/**
 * Read the words of a message's `content`: text as it is, the text blocks of a block list joined by newlines, `''` for
 * null. Reasoning, calls, results and media are not words. Any other value is its JSON text.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (Array.isArray(content)) return content.map(blockText).filter(Boolean).join('\n');
  return isObject(content) && textTypes.has(content['type']) ? blockText(content) : stringifyJson(content);
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (!isObject(block) || !(textTypes.has(block['type']) || isBare(block))) return '';
  const text = block['text'] ?? block['content'];
  return typeof text === 'string' ? text : '';
}

/** Gemini parts have no type: `{text}`. */
const isBare = (block: object) => !('type' in block) && 'text' in block && !('thought' in block);
