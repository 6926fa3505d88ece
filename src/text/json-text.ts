import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { keyOfItem, keysOf } from './field-keys.ts';
import { secretName } from './secret-names.ts';

/** Told a text, the key that says what it is, and whether it is a number. */
type See = (text: string, key: string, isNumber: boolean) => void;
type Rewrite = (text: string, key: string) => string;

/**
 * Levels of objects and lists, those of JSON texts among them, below which a text is a text and not looked into. It may have
 * a thousand levels more (`parseJson`), so that no more than 2000 are gone down at a time, which the stack holds.
 */
const maxLevels = 1000;

/**
 * Visit every text of a value with the key it stands under; keys and long numbers are texts too. JSON text is looked into;
 * one that stands more than 1000 levels down, of all the texts around it, is a text like any other.
 */
export const visitText = (value: unknown, key: string, see: See): void => visit(value, key, see, 0);

function visit(value: unknown, key: string, see: See, level: number, inList = false): void {
  if (typeof value === 'string') {
    const data = dataOf(value, level);
    if (data === undefined) see(value, key, false);
    else visit(data, key, see, level);
  } else if (Array.isArray(value))
    for (let n = 0; n < value.length; n++) visit(value[n], keyOfItem(value, n, key, inList), see, level + 1, true);
  else if (isObject(value)) {
    const keyFor = keysOf(value, key);
    for (const name of Object.keys(value)) {
      see(name, '', false);
      visit(value[name], keyFor(name), see, level + 1);
    }
  } else if (isTold(value, key)) see(String(value), key, true);
}

/**
 * Replace the texts of a value that `visitText` comes to, in the same order. Parts in which nothing changed come back as they
 * are, not copied. A number whose text changed becomes a text.
 */
export const mapText = (value: unknown, key: string, rewrite: Rewrite): unknown => mapped(value, key, rewrite, 0);

function mapped(value: unknown, key: string, rewrite: Rewrite, level: number, inList = false): unknown {
  if (typeof value === 'string') return rewriteText(value, key, rewrite, level);
  if (Array.isArray(value)) return mapItems(value, key, rewrite, level + 1, inList);
  if (isObject(value)) return mapFields(value, key, rewrite, level + 1);
  if (!isTold(value, key)) return value;
  const text = rewrite(String(value), key);
  return text === String(value) ? value : text;
}

function rewriteText(text: string, key: string, rewrite: Rewrite, level: number): string {
  const data = dataOf(text, level);
  if (data === undefined) return rewrite(text, key);
  const clean = mapped(data, key, rewrite, level);
  return clean === data ? text : stringifyJson(clean);
}

// loops, not callbacks: a level takes one frame of the stack less
function mapItems(
  value: readonly unknown[],
  key: string,
  rewrite: Rewrite,
  level: number,
  inList: boolean,
): readonly unknown[] {
  let changed = false;
  const items: unknown[] = [];
  for (let n = 0; n < value.length; n++) {
    const next = mapped(value[n], keyOfItem(value, n, key, inList), rewrite, level, true);
    if (next !== value[n]) changed = true;
    items.push(next);
  }
  return changed ? items : value;
}

function mapFields(value: JsonObject, outer: string, rewrite: Rewrite, level: number): JsonObject {
  const keyFor = keysOf(value, outer);
  let changed = false;
  const taken = new Set<string>();
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const key = free(rewrite(name, ''), taken);
    const next = mapped(inner, keyFor(name), rewrite, level);
    if (key !== name || next !== inner) changed = true;
    fields.push([key, next]);
  }
  return changed ? Object.fromEntries(fields) : value;
}

/** Two keys that say the same in two ways must not become one field. */
function free(key: string, taken: Set<string>): string {
  let name = key;
  for (let n = 2; taken.has(name); n++) name = `${key}#${n}`;
  taken.add(name);
  return name;
}

/** JSON text as data, so that a number in it that has to go leaves valid JSON; JSON text that is a text of JSON is, too. */
function dataOf(text: string, level: number): JsonObject | readonly unknown[] | string | undefined {
  if (level > maxLevels || !/^\s*(?:[{[]|"\s*[{["\\])/.test(text)) return undefined;
  try {
    const data = parseJson(text);
    if (typeof data === 'string') return dataOf(data, level + 1) === undefined ? undefined : data;
    return isObject(data) || Array.isArray(data) ? data : undefined;
  } catch {
    return undefined; // words that begin like JSON
  }
}

/** A number that may be a phone, a card or, by its key, a password. */
const isTold = (value: unknown, key: string) =>
  typeof value === 'bigint' ||
  (typeof value === 'number' &&
    ((Number.isInteger(value) && Math.abs(value) >= 1e6) || (key !== '' && secretName(key).holdsNumbers)));
