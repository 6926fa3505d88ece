import { parse, stringify } from 'lossless-json';
import { TracemillError } from './errors.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { depthOf, withoutNonFinite } from './json-text.ts';

/** Objects and lists inside each other that a row may have. JSON of more depth breaks readers, here and downstream. */
const maxJsonDepth = 1000;

/** A text of this many characters is measured before it is parsed: brackets alone would take 40 bytes of memory each. */
const longText = 1 << 20;

/**
 * Parse JSON without losing digits: an integer beyond 2^53 becomes a bigint, every other number a number. `NaN`, `Infinity`
 * and `-Infinity`, which Python writes and JSON does not know, and numbers too large for a double become null; `onNonFinite`
 * is called for each. `__proto__` is a member like any other. Costs 8 % more than `JSON.parse` where none of this occurs.
 *
 * @throws SyntaxError - the text is not JSON
 * @throws TM_ROW - `too_deep`: more than 1000 objects or lists inside each other
 */
export function parseJson(text: string, onNonFinite: () => void = () => {}): unknown {
  if (text.length > longText && depthOf(text, maxJsonDepth) > maxJsonDepth) throw tooDeep();
  let plain = text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    plain = withoutNonFinite(text, onNonFinite);
    if (plain === text) throw error;
    value = JSON.parse(plain);
  }
  if (!needsCare(value, 1)) return value;
  const exact = parse(plain, null, {
    parseNumber: exactNumber,
    onDuplicateKey: ({ newValue }) => newValue, // as JSON.parse does
  });
  return finite(exact, onNonFinite);
}

/** Read JSON where text that is none means nothing: a line that a kill cut, a record of somebody else. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The object that a text holds; undefined when it holds none. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/**
 * Write JSON; a bigint is written as its digits, what is no finite number as null. The inverse of `parseJson`.
 *
 * @throws TM_ROW - `too_deep`: the stack does not hold so many objects inside each other
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(error);
    if (!(error instanceof TypeError && /BigInt/.test(error.message))) throw error;
    return stringify(finite(value)) as string; // only `undefined` has no text, and it has no bigint in it
  }
}

/** Whether a number may have lost digits, or is infinite: both are read again from the text. Refuses what is too deep. */
function needsCare(value: unknown, depth: number): boolean {
  if (typeof value === 'number')
    return !Number.isSafeInteger(value) && Number.isInteger(value) === Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > maxJsonDepth) throw tooDeep();
  if (Array.isArray(value)) {
    for (const inner of value) if (needsCare(inner, depth + 1)) return true;
    return false;
  }
  for (const key in value) if (needsCare((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return true;
  return false;
}

function exactNumber(digits: string): number | bigint {
  const number = Number(digits);
  return /^-?\d{1,1000}$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

/** The same value with null where a number is not finite. */
function finite(value: unknown, onNonFinite: () => void = () => {}): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    onNonFinite();
    return null;
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map((inner) => finite(inner, onNonFinite));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, finite(inner, onNonFinite)]));
}

const tooDeep = (cause?: unknown): TracemillError =>
  new TracemillError('TM_ROW', `JSON of more than ${maxJsonDepth} levels`, { reason: 'too_deep', cause });
