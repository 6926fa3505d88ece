import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

type See = (text: string, key: string) => void;
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

function visit(value: unknown, key: string, see: See, level: number): void {
  if (typeof value === 'string') {
    const data = dataOf(value, level);
    if (data === undefined) see(value, key);
    else visit(data, key, see, level);
  } else if (Array.isArray(value)) for (const item of value) visit(item, key, see, level + 1);
  else if (isObject(value))
    for (const name of Object.keys(value)) {
      see(name, '');
      visit(value[name], name, see, level + 1);
    }
  else if (isLongNumber(value)) see(String(value), key);
}

/**
 * Replace the texts of a value that `visitText` comes to, in the same order. Parts in which nothing changed come back as they
 * are, not copied. A number whose text changed becomes a text.
 */
export const mapText = (value: unknown, key: string, rewrite: Rewrite): unknown => mapped(value, key, rewrite, 0);

function mapped(value: unknown, key: string, rewrite: Rewrite, level: number): unknown {
  if (typeof value === 'string') return rewriteText(value, key, rewrite, level);
  if (Array.isArray(value)) return mapItems(value, key, rewrite, level + 1);
  if (isObject(value)) return mapFields(value, rewrite, level + 1);
  if (!isLongNumber(value)) return value;
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
function mapItems(value: readonly unknown[], key: string, rewrite: Rewrite, level: number): readonly unknown[] {
  let changed = false;
  const items: unknown[] = [];
  for (const item of value) {
    const next = mapped(item, key, rewrite, level);
    if (next !== item) changed = true;
    items.push(next);
  }
  return changed ? items : value;
}

function mapFields(value: JsonObject, rewrite: Rewrite, level: number): JsonObject {
  let changed = false;
  const taken = new Set<string>();
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const key = free(rewrite(name, ''), taken);
    const next = mapped(inner, name, rewrite, level);
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

/** JSON text as data, so that a number in it that has to go leaves valid JSON. */
function dataOf(text: string, level: number): JsonObject | readonly unknown[] | undefined {
  if (level > maxLevels || !/^\s*[{[]/.test(text)) return undefined;
  try {
    const data = parseJson(text);
    return isObject(data) || Array.isArray(data) ? data : undefined;
  } catch {
    return undefined; // words that begin like JSON
  }
}

const isLongNumber = (value: unknown) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 1e6);
