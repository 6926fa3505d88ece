import { parseJson } from '../../core/json.ts';
import type { Item } from '../item.ts';
import { itemsAt } from '../message-items.ts';
import { messageList } from '../message-list.ts';

/** What a model was given, read. */
interface History {
  /** How many messages it had. */
  readonly length: number;
  readonly items: readonly Item[];
  /** The text ended before its list did. */
  readonly isCut: boolean;
}

/** The last text, without what closed its list, and what it held. */
interface Last {
  readonly stem: string;
  readonly messages: readonly unknown[];
  /** The items of all its messages but the last, which depends on what follows. */
  readonly items: readonly Item[];
}

/**
 * Make a reader of the histories that models are given. Each request of a conversation repeats the one before it: of a text
 * that goes on from the last one only what is new is parsed and read, so that a conversation of many requests costs as much
 * as its last. What is read is the same whatever was read before, and what was read before is the same object. Memory: the
 * last text and its messages.
 */
export function grownHistory(): (value: unknown) => History {
  let last: Last | undefined;
  return (value) => {
    if (value === undefined) return nothing;
    const added = last && typeof value === 'string' ? addedTo(last.stem, value) : undefined;
    const known = added ? last : undefined;
    const { messages, isCut } =
      known && added ? { messages: known.messages.concat(added), isCut: false } : messageList(value);
    const items = known ? known.items.slice() : [];
    const end = messages.length - 1;
    for (let n = known ? known.messages.length - 1 : 0; n < end; n++) items.push(...itemsAt(messages, n, 'user'));
    const stem = typeof value === 'string' && !isCut && end >= 0 ? stemOf(value) : undefined;
    last = stem === undefined ? undefined : { stem, messages, items };
    return { length: messages.length, items: end < 0 ? items : items.concat(itemsAt(messages, end, 'user')), isCut };
  };
}

const nothing: History = { length: 0, items: [], isCut: false };

/** A JSON list without the bracket that closes it. */
function stemOf(text: string): string | undefined {
  const list = text.trim();
  return list.startsWith('[') && list.endsWith(']') ? list.slice(0, -1) : undefined;
}

/** What a list holds beyond one that it begins with. Undefined when it does not, or is none. */
function addedTo(stem: string, text: string): readonly unknown[] | undefined {
  const start = text.length - text.trimStart().length;
  if (text.slice(start, start + stem.length) !== stem) return undefined; // twice as fast as startsWith
  const rest = text.slice(start + stem.length).trim();
  if (rest === ']') return [];
  if (!rest.startsWith(',')) return undefined;
  try {
    const added = parseJson(`[${rest.slice(1)}`);
    return Array.isArray(added) && added.length > 0 ? added : undefined;
  } catch {
    return undefined; // cut, or no JSON: it is read as a whole
  }
}
