import { canonicalJson } from '../core/canonical-json.ts';
import { stringifyJson } from '../core/json.ts';
import type { Item } from './item.ts';

const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
/** Equal data gives equal text. A bigint is written as its digits. */
const written = (value: unknown): string => {
  try {
    return canonicalJson(value);
  } catch {
    return stringifyJson(value);
  }
};

/**
 * Say whether two items are one thing told twice, as histories tell it: same kind and same text, white space folded;
 * calls and answers by id when both have one, else by name and arguments, or by value.
 */
export function sameItem(a: Item, b: Item | undefined): boolean {
  if (b === undefined || a.kind !== b.kind) return false;
  if (a.kind === 'call' && b.kind === 'call') {
    if (a.id !== undefined && b.id !== undefined) return a.id === b.id;
    return a.name === b.name && written(a.arguments ?? a.arguments_raw) === written(b.arguments ?? b.arguments_raw);
  }
  if (a.kind === 'result' && b.kind === 'result') {
    if (a.id !== undefined && b.id !== undefined) return a.id === b.id;
    return written(a.value) === written(b.value);
  }
  return 'text' in a && 'text' in b && folded(a.text) === folded(b.text);
}
