import { stringifyJson } from '../core/json.ts';

/** Write any value of a text field as text: text as it is, `''` for null, false and 0, an object or array as its JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!value) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
