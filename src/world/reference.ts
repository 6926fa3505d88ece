import type { JsonObject } from '../core/json-object.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { leavesOf } from './value.ts';

/** One value of a call that points at an entity. Ids are compared as text: 7 and "7" are one id. */
export interface Reference {
  readonly key: string;
  readonly value: string | number | bigint;
  readonly isTop: boolean;
}

/** List the values of a call that point at entities, at any depth, in the order they stand in. */
export function referencesOf(args: JsonObject): readonly Reference[] {
  const found: Reference[] = [];
  for (const { key, value, depth, path } of leavesOf(args))
    if (isReferenceKey(key) && !path.endsWith(']') && isReference(value))
      found.push({ key, value, isTop: depth === 1 });
  return found;
}

const isReference = (value: unknown): value is Reference['value'] =>
  (typeof value === 'string' && value !== '') || typeof value === 'bigint' || Number.isInteger(value);

/**
 * Choose the reference that names the thing a tool is about, the others are where it belongs:
 * of `remove_item(cart_id, item_id)` it is the item.
 */
export function primaryOf(references: readonly Reference[], noun: string): Reference | undefined {
  const top = references.filter(({ isTop }) => isTop);
  return top.find((one) => isOwn(one, noun)) ?? top[0] ?? references[0];
}

/** Say whether a reference names the very thing (`booking_id`, `id`, `path` for a booking), not another one. */
export function isOwn({ key, isTop }: Reference, noun: string): boolean {
  const stem = nameWords(key).slice(0, -1);
  return isTop && (stem.length === 0 || stem.includes(noun));
}
