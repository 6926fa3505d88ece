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
const known = new WeakMap<JsonObject, ReadonlySet<string>>();

/** The prefixes of all lists in attributes. Most spans have none, and every dialect asks. */
function listsIn(attributes: JsonObject): ReadonlySet<string> {
  const found = known.get(attributes);
  if (found) return found;
  let lists: Set<string> | undefined;
  for (const name of Object.keys(attributes)) {
    if (!/\.\d/.test(name)) continue; // cheaper than to look for all of none
    for (const { index } of name.matchAll(/\.\d+(?=\.|$)/g)) {
      lists ??= new Set();
      lists.add(name.slice(0, index));
    }
  }
  known.set(attributes, lists ?? none);
  return lists ?? none;
}

/** An object whose keys are all numbers was a list. */
function listed(value: unknown): unknown {
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  if (entries.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
