import { parseJson } from '../../core/json.ts';
import type { Item } from '../item.ts';
import { itemsAt } from '../message-items.ts';
import { messageList } from '../message-list.ts';

/** What a model was given, read. */
interface History {
  readonly messages: readonly unknown[];
  readonly items: readonly Item[];
  /** The text ended before its list did. */
  readonly isCut: boolean;
}

/** The last text, without what closed its list, and what it held. */
interface Last {
  readonly stem: string;
  readonly messages: readonly unknown[];
  readonly items: readonly (readonly Item[])[];
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
    const added = last && typeof value === 'string' ? addedTo(last.stem, value) : undefined;
    const known = added && last ? last : { messages: [], items: [] };
    const { messages, isCut } = added ? { messages: [...known.messages, ...added], isCut: false } : messageList(value);
    const items = known.items.slice(0, -1); // the last one depends on what follows
    while (items.length < messages.length) items.push(itemsAt(messages, items.length, 'user'));
    const stem = typeof value === 'string' && !isCut && messages.length > 0 ? stemOf(value) : undefined;
    last = stem === undefined ? undefined : { stem, messages, items };
    return { messages, items: joined(items), isCut };
  };
}

function joined(parts: readonly (readonly Item[])[]): readonly Item[] {
  const items: Item[] = [];
  for (const part of parts) for (const item of part) items.push(item);
  return items;
}

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
