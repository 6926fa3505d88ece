import { isObject, type JsonObject } from '../../core/json-object.ts';
import { nameWords } from '../../world/names.ts';
import { phrasesOf, placeholdersIn } from '../../world/placeholder.ts';
import { type Leaf, leavesOf } from '../../world/value.ts';
import type { Act, Episode } from './episode.ts';
import { mentions } from './mentions.ts';
import { isStateTool } from './tool-name.ts';

const referring: ReadonlySet<string> = new Set(['ref', 'refs', 'reference', 'references']);
const prefixed = /^(?:conv|msg|user|macro|doc)_|^(?:user_id|conv_id|msg_id|none)$/i;
const slug = /^[A-Z]{2,}(?:-[A-Z0-9]+)+$/;

/** Find the first argument that the agent made up: an id that nobody gave it, or a blank that it forgot to fill. */
export function inventedArgument({ acts }: Episode, allowed: ReadonlySet<string>): string | undefined {
  for (const act of acts) {
    const leaves = [...leavesOf(act.arguments)];
    const made = leaves.find((leaf) => isInvented(leaf, act, allowed));
    if (made) return `${act.tool}.${made.path}=${String(made.value)}`;
    const blanks = new Set(placeholdersIn(act.arguments, phrasesOf(Object.keys(act.arguments)), allowed));
    const blank = leaves.find(({ path, value }) => blanks.has(path) && !mentions(act.known, String(value)));
    if (blank) return `${act.tool}.${blank.path}=${String(blank.value)}`;
  }
  return undefined;
}

/** Read the ids that a call was given. */
export const idsOf = ({ arguments: args }: { readonly arguments: JsonObject }): readonly string[] =>
  [...leavesOf(args)].filter(isReference).map(({ value }) => String(value));

function isInvented(leaf: Leaf, act: Act, allowed: ReadonlySet<string>): boolean {
  if (!isReference(leaf)) return false;
  const value = String(leaf.value).trim();
  if (allowed.has(value) || mentions(act.known, value)) return false;
  return isStateTool(act.tool) || looksLikeId(value);
}

function isReference({ key, value }: Leaf): boolean {
  const isName =
    (typeof value === 'string' && value.trim() !== '') || Number.isInteger(value) || typeof value === 'bigint';
  if (!isName) return false;
  const words = nameWords(key);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return last === 'id' || last === 'ids' || referring.has(first) || referring.has(last) || words.join() === 'key';
}

const looksLikeId = (value: string): boolean => /\d/.test(value) || prefixed.test(value) || slug.test(value);

/** Values that the parameters of a tool list: they come from the schema and are made up by nobody. */
export function listedValues(tools: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isObject(value)) return;
    for (const list of [value['enum'], [value['const'], value['default']]])
      if (Array.isArray(list)) for (const one of list) if (one !== undefined && one !== null) found.add(String(one));
    Object.values(value).forEach(walk);
  };
  tools.forEach(walk);
  return found;
}

const references =
  /(?<![\w/-])(?<prefix>[A-Z]{2,10})-\d{2,}[\w-]*|(?<![\w&])#\d{2,}\b|(?<![\w/])src\/[\w./-]*\.[A-Za-z]\w{0,4}\b|(?<![\w-])(?=[0-9a-f]*\d)[0-9a-f]{12,40}(?![\w-])/g;
/** Names that only look like a ticket. */
const wellKnown =
  /^(?:UTF|ISO|SHA|GPT|RFC|HTTP|AES|COVID|MP|USB|IPV|PEP|IEEE|EN|DIN|UTC|GMT|BASE|WPA|RSA|MD|CSS|ES|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|SEPT|OCT|NOV|DEC|FY|AD|BC)$/;
const sharedDigits = 3;

/** Find the first concrete reference in the reply (`ENG-4821`, `#12`, a file, a hash) that nobody named and no tool gave. */
export function inventedReference({ finalText, known }: Episode): string | undefined {
  for (const { 0: found, groups } of finalText.matchAll(references)) {
    if (wellKnown.test(groups?.['prefix'] ?? '')) continue;
    if (!mentions(known, found) && !sharesNumber(found, known)) return found;
  }
  return undefined;
}

/** `ORD-4821` and `order 4821` are the same thing under another prefix. */
function sharesNumber(found: string, known: readonly string[]): boolean {
  if (found.includes('/')) return false;
  const digits = found.replace(/^\D+/, '').match(/^\d+/)?.[0] ?? '';
  return digits.length >= sharedDigits && mentions(known, digits);
}
