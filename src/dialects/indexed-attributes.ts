import type { JsonObject } from './fields.ts';
import { traitsOf } from './name-traits.ts';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Read flattened attributes (`prefix.0.role`, `prefix.0.tool_calls.1.name`) as the list they were: indices sort by
 * number, holes close. A name that holds both a value and fields keeps the fields.
 */
export function indexedList(attributes: JsonObject, prefix: string): readonly unknown[] {
  if (!traitsOf(attributes).lists.has(prefix)) return [];
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

/** An object whose keys are all numbers was a list. */
function listed(value: unknown): unknown {
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  if (entries.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
