import type { JsonObject } from './fields.ts';

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
