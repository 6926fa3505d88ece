import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from './fields.ts';

/** The arguments of a call: an object, or the raw text when no object can be read from it. */
export interface CallArguments {
  readonly arguments?: JsonObject;
  readonly arguments_raw?: string;
  /** How often a text had to be parsed, given when more than once. */
  readonly encodings?: number;
}

/**
 * Read the arguments of a call from an object, its JSON text, or the JSON text of its JSON text. A call without any has
 * `{}`; what is no object after two parses stays as `arguments_raw`, with `arguments` absent: it is an invalid call and
 * must not look like a call without arguments.
 *
 * @source house rule
 */
export function callArguments(value: unknown): CallArguments {
  if (value === undefined || value === null) return { arguments: {} };
  let inner: unknown = value;
  let encodings = 0;
  while (typeof inner === 'string' && encodings < 2) {
    if (inner.trim() === '') return { arguments: {} };
    try {
      inner = parseJson(inner);
    } catch {
      break; // cut or free text: kept raw below
    }
    encodings++;
  }
  if (isObject(inner)) return { arguments: inner, ...(encodings > 1 ? { encodings } : {}) };
  return { arguments_raw: typeof value === 'string' ? value : stringifyJson(value) };
}
