import { canonicalJson } from '../core/canonical-json.ts';
import type { Call, Item, Result } from './item.ts';

const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
/**
 * Say whether two items are one thing told twice, as histories tell it: same kind and same text, white space folded;
 * calls and answers by id when both have one, else by name and arguments, or by value.
 */
export function sameItem(a: Item, b: Item | undefined): boolean {
  if (a.kind === 'call') return b?.kind === 'call' && (sameId(a, b) ?? sameCall(a, b));
  if (a.kind === 'result') return b?.kind === 'result' && (sameId(a, b) ?? same(a.value, b.value));
  if (a.kind === 'left_out') return b?.kind === 'left_out' && a.type === b.type;
  return (
    b !== undefined && a.kind === b.kind && 'text' in b && (a.text === b.text || folded(a.text) === folded(b.text))
  );
}

/** Undefined when one of them has no id. */
const sameId = (a: Call | Result, b: Call | Result) =>
  a.id === undefined || b.id === undefined ? undefined : a.id === b.id;
const sameCall = (a: Call, b: Call) =>
  a.name === b.name && same(a.arguments ?? a.arguments_raw, b.arguments ?? b.arguments_raw);
const same = (a: unknown, b: unknown) => a === b || canonicalJson(a) === canonicalJson(b);
