import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

/**
 * Read the objects of a JSON list that a model wrote: with words or fences around it, as the value of some key, cut off at
 * the end. What is whole is read; the rest is left.
 */
export function readList(text: string): readonly JsonObject[] {
  const whole = listIn(tryParse(text.replace(/^[^[{]*|[^\]}]*$/gu, '')));
  return whole ?? objectsIn(text);
}

function listIn(value: unknown): readonly JsonObject[] | undefined {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return undefined;
  const list = Object.values(value).find((one) => Array.isArray(one) && one.some(isObject));
  return Array.isArray(list) ? list.filter(isObject) : [value];
}

/** Objects one by one: braces are counted outside of strings, so that a cut list gives all but its last. */
function objectsIn(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (let at = text.indexOf('{'); at >= 0; ) {
    const end = endOf(text, at);
    const value = end === undefined ? undefined : tryParse(text.slice(at, end));
    if (isObject(value)) found.push(value);
    at = text.indexOf('{', isObject(value) && end !== undefined ? end : at + 1);
  }
  return found;
}

function endOf(text: string, start: number): number | undefined {
  let [depth, quoted] = [0, false];
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quoted && sign === '\\') at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth++;
    else if (!quoted && sign === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // no JSON as a whole
  }
}
