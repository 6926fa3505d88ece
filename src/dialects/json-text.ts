import { parseJson } from '../core/json.ts';

/** Tokens that Python's json module writes and JSON does not know, outside of texts. */
const notNumbers = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** What a JSON text held, and how many numbers in it were not numbers. */
export interface JsonText {
  readonly value: unknown;
  /** `NaN`, `Infinity` and `-Infinity` tokens that became null. */
  readonly notNumbers: number;
}

/**
 * Read a JSON text as other tools write it: integers beyond 2^53 keep their digits, bare `NaN` and `Infinity` become
 * null and are counted, a byte order mark is skipped.
 *
 * @throws SyntaxError - the text is not JSON even so
 */
export function readJsonText(text: string): JsonText {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return { value: parseJson(body), notNumbers: 0 };
  } catch (error) {
    let count = 0;
    const mended = body.replace(notNumbers, (token) => {
      if (token.startsWith('"')) return token;
      count++;
      return 'null';
    });
    if (count === 0) throw error;
    return { value: parseJson(mended), notNumbers: count };
  }
}

/** Parse a text that may be JSON; a text that is not JSON, and any value that is no text, comes back as it is. */
export function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
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
