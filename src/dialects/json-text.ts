import { parseJson } from '../core/json.ts';

/** What a JSON text held, and how many numbers in it were not numbers. */
export interface JsonText {
  readonly value: unknown;
  /** `NaN`, `Infinity` and `-Infinity` tokens, and numbers too large for a double, that became null. */
  readonly notNumbers: number;
}

/**
 * Read a JSON text as other tools write it: integers beyond 2^53 keep their digits, bare `NaN` and `Infinity` become
 * null and are counted, a byte order mark is skipped.
 *
 * @throws SyntaxError - the text is not JSON even so
 * @throws TM_ROW - `too_deep`
 */
export function readJsonText(text: string): JsonText {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let notNumbers = 0;
  const value = parseJson(body, () => notNumbers++);
  return { value, notNumbers };
}

/** What is no JSON is told from its first letters or as a whole: to throw and catch costs more than all else. */
const mayBeJson = /^\s*(?:[{["]|(?:-?\d[\d.eE+-]*|true|false|null|-?NaN|-?Infinity)\s*$)/;

/** Parse a text that may be JSON; a text that is not JSON, and any value that is no text, comes back as it is. */
export function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string' || !mayBeJson.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value; // plain text is what most tools answer
  }
}

/** Parse a text that looks like a JSON object or array; any other value comes back as it is. */
export function containerOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return parsedOf(value);
}
