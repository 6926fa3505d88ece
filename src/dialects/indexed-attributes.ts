import type { JsonObject } from './fields.ts';

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

/** What the names of attributes tell before any of them is read. */
export interface NameTraits {
  /** The prefixes of all lists. Most spans have none, and every dialect asks, one after the other. */
  readonly lists: ReadonlySet<string>;
  /** One of them may be a number of tokens. */
  readonly hasTokens: boolean;
  /** One of them may be of the project's own, or of the reference SDK's. */
  readonly isOwn: boolean;
}

/** The owners of attributes that tell of a rollout. */
export const owners = ['tracemill', 'whileai', 'zeroproof'];

const none: ReadonlySet<string> = new Set();
let last: { readonly attributes: JsonObject; readonly traits: NameTraits } | undefined;

/** Look at all names of attributes. Spans have the same few, so that each is read once. */
export function traitsOf(attributes: JsonObject): NameTraits {
  if (last?.attributes === attributes) return last.traits;
  let lists: Set<string> | undefined;
  let [hasTokens, isOwn] = [false, false];
  for (const name in attributes) {
    const traits = traitsOfName(name);
    if (traits.hasTokens) hasTokens = true;
    if (traits.isOwn) isOwn = true;
    for (const prefix of traits.lists) {
      lists ??= new Set();
      lists.add(prefix);
    }
  }
  const traits = { lists: lists ?? none, hasTokens, isOwn };
  last = { attributes, traits };
  return traits;
}

const maxNames = 10_000;
const known = new Map<string, NameTraits>();

function traitsOfName(name: string): NameTraits {
  const seen = known.get(name);
  if (seen) return seen;
  const traits = {
    lists: new Set([...name.matchAll(/\.\d+(?=\.|$)/g)].map(({ index }) => name.slice(0, index))),
    hasTokens: /token|usage/i.test(name),
    isOwn: owners.some((owner) => name.startsWith(`${owner}.`)),
  };
  if (known.size < maxNames && name.length < 128) known.set(name, traits);
  return traits;
}

/** An object whose keys are all numbers was a list. */
function listed(value: unknown): unknown {
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  if (entries.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
