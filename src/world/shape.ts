import { draws } from '../core/draws.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { between, dayOf, personOf } from './record.ts';

/** A list of objects gets one to five items of its first. */
const maxItems = 5;
const personKeys = new Set(['owner', 'author', 'assignee', 'sender', 'from']);
const isDate = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;
const isIdLike = /^[A-Za-z#]{0,12}[-_#]?\d[\w-]*$/;

/**
 * Fill a result template with new values: its keys stay, an argument of the same name is echoed, integers move by up to
 * a third (up to 1 they stay), other numbers by up to a third in tenths, ids get new digits, dates a new day, people a
 * new name (an e-mail keeps its domain). Truth values and free text stay.
 */
export function fillShape(template: unknown, args: JsonObject, ...parts: readonly unknown[]): unknown {
  return fill(template, '', args, draws(...parts).next);
}

function fill(template: unknown, key: string, args: JsonObject, next: () => number): unknown {
  if (Array.isArray(template)) {
    const first: unknown = template[0];
    if (!isObject(first)) return template.map((item) => fill(item, key, {}, next));
    return Array.from({ length: between(1, maxItems, next()) }, () => fill(first, key, {}, next)); // other things: no echo
  }
  if (isObject(template))
    return Object.fromEntries(
      Object.entries(template).map(([name, inner]) => [
        name,
        Object.hasOwn(args, name) && !isObject(inner) ? args[name] : fill(inner, name, args, next),
      ]),
    );
  if (typeof template === 'number') return moved(template, next());
  return typeof template === 'string' ? renewed(template, key, next) : template;
}

function moved(value: number, number: number): number {
  const share = (number * 2 - 1) / 3;
  if (!Number.isInteger(value)) return Math.round(value * (1 + share) * 10) / 10;
  return Math.abs(value) <= 1 ? value : Math.trunc(value * (1 + share));
}

function renewed(value: string, key: string, next: () => number): string {
  const words = nameWords(key);
  if (words.some((word) => personKeys.has(word))) return renewedPerson(value, next());
  if (isDate.test(value)) return value.replace(isDate, dayOf(next()));
  if (isIdLike.test(value) && (isReferenceKey(key) || !/^\d+$/.test(value)))
    return value.replace(/\d/g, (digit, at: number) => String(between(digit !== '0' && at === 0 ? 1 : 0, 9, next())));
  return value;
}

function renewedPerson(value: string, number: number): string {
  const name = personOf(number);
  const domain = /^[^\s@]+@([^\s@]+)$/.exec(value)?.[1];
  return domain === undefined ? name : `${name.toLowerCase().replace(/ /g, '.')}@${domain}`;
}
