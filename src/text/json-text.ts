import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/** Visit every text of a value with the key it stands under; keys and long numbers are texts too. JSON text is looked into. */
export function visitText(value: unknown, key: string, see: (text: string, key: string) => void): void {
  if (typeof value === 'string') {
    const data = dataOf(value);
    if (data === undefined) see(value, key);
    else visitText(data, key, see);
  } else if (Array.isArray(value)) for (const item of value) visitText(item, key, see);
  else if (isObject(value))
    for (const name of Object.keys(value)) {
      see(name, '');
      visitText(value[name], name, see);
    }
  else if (isLongNumber(value)) see(String(value), key);
}

/**
 * Replace the texts of a value, keys and long numbers among them. Parts in which nothing changed come back as they are, not
 * copied. A number whose text changed becomes a text.
 */
export function mapText(value: unknown, key: string, rewrite: (text: string, key: string) => string): unknown {
  if (typeof value === 'string') return rewriteText(value, key, rewrite);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapText(item, key, rewrite));
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  if (isObject(value)) return mapFields(value, rewrite);
  if (!isLongNumber(value)) return value;
  const text = rewrite(String(value), key);
  return text === String(value) ? value : text;
}

function rewriteText(text: string, key: string, rewrite: (text: string, key: string) => string): string {
  const data = dataOf(text);
  if (data === undefined) return rewrite(text, key);
  const clean = mapText(data, key, rewrite);
  return clean === data ? text : stringifyJson(clean);
}

function mapFields(value: JsonObject, rewrite: (text: string, key: string) => string): JsonObject {
  let changed = false;
  const taken = new Set<string>();
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const key = free(rewrite(name, ''), taken);
    const next = mapText(inner, name, rewrite);
    if (key !== name || next !== inner) changed = true;
    return [key, next];
  });
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
function dataOf(text: string): JsonObject | readonly unknown[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const data = parseJson(text);
    return isObject(data) || Array.isArray(data) ? data : undefined;
  } catch {
    return undefined; // words that begin like JSON
  }
}

const isLongNumber = (value: unknown) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 1e6);
