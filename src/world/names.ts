/** What the first word of a tool's name says the tool does. */
export type Verb = 'create' | 'read' | 'delete' | 'update';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const creating = words('create generate write add upload insert make post new');
const reading = words(
  'get read list inspect search fetch find show describe cat view lookup look check query browse status',
);
const deleting = words('delete remove drop destroy');
/** Words of a name that are not the thing it is about. */
const weak = words(
  'all any by detail details info information status list the a an my new current id ids data result results',
);
const prepositions = words('from to by for of in on with at via into');

const known = new Map<string, readonly string[]>();
const maxKnown = 4096; // names remembered: tools and parameters are few and come back with every call

/**
 * Split a name into its lower-case words: at `_`, at other punctuation and at camelCase humps.
 * An MCP prefix (`mcp__server__`) is no part of the name.
 */
export function nameWords(name: string): readonly string[] {
  const before = known.get(name);
  if (before) return before;
  const parts = name
    .replace(/^mcp__.+?__/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  if (known.size >= maxKnown) known.clear();
  if (name.length <= 64) known.set(name, parts);
  return parts;
}

/** Say what a tool does, by the first whole word of its name; what is nothing else updates. */
export function verbOf(name: string): Verb {
  const first = nameWords(name)[0] ?? '';
  if (creating.has(first)) return 'create';
  if (reading.has(first)) return 'read';
  return deleting.has(first) ? 'delete' : 'update';
}

/** Name the thing a tool is about, in the singular: `remove_items_from_cart` is about an item. */
export function nounOf(name: string): string {
  const rest = nameWords(name).slice(1);
  const end = rest.findIndex((word, n) => n > 0 && prepositions.has(word));
  const nouns = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !weak.has(word) && !prepositions.has(word));
  return singular(nouns.at(-1) ?? rest.find((word) => !prepositions.has(word)) ?? 'record');
}

/** Cut the plural off an English noun. */
export function singular(noun: string): string {
  if (noun.length > 4 && noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(ses|xes|zes|ches|shes)$/.test(noun) && noun.length > 5) return noun.slice(0, -2);
  return noun.length > 3 && /[^siu]s$/.test(noun) ? noun.slice(0, -1) : noun;
}

const referenceKeys = words('id path file name key ref number asin sku');

/** Say whether an argument of this name points at an entity: `id`, `path` ... or ending in `_id`, `_path`. */
export function isReferenceKey(key: string): boolean {
  const parts = nameWords(key);
  const last = parts.at(-1) ?? '';
  return parts.length === 1 ? referenceKeys.has(last) : last === 'id' || last === 'path';
}
