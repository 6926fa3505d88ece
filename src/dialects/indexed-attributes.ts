import type { JsonObject } from './fields.ts';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Read flattened attributes (`prefix.0.role`, `prefix.0.tool_calls.1.name`) as the list they were: indices sort by
 * number, holes close. A name that holds both a value and fields keeps the fields.
 */
export function indexedList(attributes: JsonObject, prefix: string): readonly unknown[] {
  if (!listsIn(attributes).has(prefix)) return [];
  const root: Node = Object.create(null);
  const start = `${prefix}.`;
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(start)) continue;
    const path = name.slice(start.length).split('.');
    let node = root;
    for (const part of path.slice(0, -1)) {
      const inner = node[part];
      const next: Node = isNode(inner) ? inner : Object.create(null);
      node[part] = next;
      node = next;
    }
    const last = path.at(-1) ?? '';
    if (!isNode(node[last])) node[last] = value;
  }
  const list = listed(root);
  return Array.isArray(list) ? list : [];
}

const none: ReadonlySet<string> = new Set();
let last: { readonly attributes: JsonObject; readonly lists: ReadonlySet<string> } | undefined;

/** The prefixes of all lists in attributes. Most spans have none, and every dialect asks, one after the other. */
function listsIn(attributes: JsonObject): ReadonlySet<string> {
  if (last?.attributes === attributes) return last.lists;
  let lists: Set<string> | undefined;
  for (const name of Object.keys(attributes))
    for (const prefix of prefixesOf(name)) {
      lists ??= new Set();
      lists.add(prefix);
    }
  last = { attributes, lists: lists ?? none };
  return last.lists;
}

/** Whether attributes hold a list at all. */
export const hasLists = (attributes: JsonObject): boolean => listsIn(attributes).size > 0;

const maxNames = 10_000;
const prefixes = new Map<string, readonly string[]>(); // spans have the same few names

function prefixesOf(name: string): readonly string[] {
  const seen = prefixes.get(name);
  if (seen) return seen;
  const found = [...name.matchAll(/\.\d+(?=\.|$)/g)].map(({ index }) => name.slice(0, index));
  if (prefixes.size < maxNames && name.length < 128) prefixes.set(name, found);
  return found;
}

/** An object whose keys are all numbers was a list. */
function listed(value: unknown): unknown {
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  if (entries.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
