import type { JsonObject } from '../core/json-object.ts';
import { nameWords } from './name-words.ts';
import { remembered } from './remembered.ts';
import { secretName } from './secret-names.ts';

/** Fields that only hold what the field around them names: of OTLP, and of values with notes beside them. */
const holders: ReadonlySet<string> = new Set([
  ...['value', 'values', 'stringValue', 'string_value', 'intValue', 'int_value', 'arrayValue', 'array_value'],
]);

/**
 * Give the keys that say what the fields of an object are: their own names, but of `{ name: "Authorization", value }` and
 * `{ key, value }` the name that is told, and of a mere holder the key of the object itself.
 */
export function keysOf(value: JsonObject, outer: string): (name: string) => string {
  const told = value['value'] === undefined ? undefined : (value['name'] ?? value['key'] ?? value['header']);
  const key = typeof told === 'string' && told !== '' ? told : outer;
  return (name) => (key !== '' && holders.has(name) ? key : name);
}

/**
 * Give the key of an item of a list: that of the list, but of a pair in a list of pairs, and in a flat list of headers, the
 * item before it: `[["Authorization", "Basic ..."]]`.
 */
export function keyOfItem(list: readonly unknown[], at: number, outer: string, inList: boolean): string {
  const before = list[at - 1];
  if (at % 2 === 0 || typeof before !== 'string' || typeof list[at] !== 'string') return outer;
  const isHeaders = isHeaderKey(outer);
  if (!isHeaders && !(inList && list.length === 2 && /[\d\s]|.{16}/.test(list[at]))) return outer; // names of fields stand in lists, too
  return before.length <= maxName && secretName(before).strength !== 'none' ? before : outer;
}

const maxName = 80;
const isHeaderKey = remembered((key) => /^headers?$/.test(nameWords(key).at(-1) ?? ''));
