import { parseJson } from '../core/json.ts';
import { nameWords } from './names.ts';
import { leavesOf } from './value.ts';

/** Whole values that only repeat what a schema asks for. Space, `_` and `-` between words are the same. */
const patterns = [
  /^<+[^<>\n]*>+$/,
  /^\[[^[\]\n]*\]$/,
  /^\{+[^{}\n]*\}+$/,
  /^(your|the|a|an|user|customer|my)[\s_-](email|phone|name|zip|address|id)$/,
  /^(email address|first name|last name|full name|zip code|phone number)$/,
  /^(order|account) (id|number)$/,
  /^(user|customer|item|product) id$/,
  /^(string|placeholder|xxx+)$/,
  /^[^\s@]+@(example|test|email|domain)\.(com|org|net)$/,
];

/** The words of parameter names, where they are more than one: `booking_id` asks for a "booking id". */
export const phrasesOf = (parameterNames: readonly string[]): ReadonlySet<string> =>
  new Set(parameterNames.map((name) => nameWords(name).join(' ')).filter((phrase) => phrase.includes(' ')));

/**
 * Find the arguments whose value is only an echo of the schema: `<booking_id>`, `your email`, `user@example.com`, or the
 * `phrases` of the tool's own parameters. JSON text, enum values and single bare words are values.
 *
 * @returns the paths, as `a.b` and `a[0]`, in the order they stand in
 */
export function placeholdersIn(args: unknown, phrases: ReadonlySet<string>, enums: ReadonlySet<string>): string[] {
  const isEcho = (value: unknown) => typeof value === 'string' && !enums.has(value) && isPlaceholder(value, phrases);
  return [...leavesOf(args)].filter(({ value }) => isEcho(value)).map(({ path }) => path);
}

function isPlaceholder(value: string, phrases: ReadonlySet<string>): boolean {
  const text = value.trim().toLowerCase();
  if (text.length > 200 || isJson(text)) return false;
  const spaced = text.replace(/[_-]/g, ' ');
  return phrases.has(spaced) || patterns.some((pattern) => pattern.test(text) || pattern.test(spaced));
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    parseJson(text);
    return true;
  } catch {
    return false; // not JSON: it may be a placeholder
  }
}
