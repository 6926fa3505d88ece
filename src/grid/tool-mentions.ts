import type { Tool } from '../rows/tool.ts';
import { wordsOfName } from './region-weight.ts';

/** Verbs that say the same thing about a tool; a verb of none of these rows stands for itself. */
const synonyms: readonly (readonly string[])[] = [
  ['get', 'fetch', 'retrieve', 'read', 'view', 'show', 'load', 'display'],
  ['lookup', 'look', 'check', 'verify', 'confirm', 'inspect', 'validate'],
  ['search', 'find', 'query', 'browse'],
  ['list', 'enumerate', 'show'],
  ['create', 'add', 'make', 'open', 'insert', 'register', 'issue'],
  ['place', 'submit'],
  ['update', 'change', 'edit', 'modify', 'amend', 'correct', 'set'],
  ['cancel', 'void', 'revoke'],
  ['delete', 'remove', 'erase', 'drop', 'destroy'],
  ['send', 'email', 'mail', 'notify', 'message'],
  ['refund', 'reimburse'],
  ['pay', 'charge', 'settle'],
  ['close', 'resolve'],
  ['schedule', 'book', 'reserve', 'arrange'],
  ['transfer', 'move'],
  ['escalate', 'handoff', 'refer'],
  ['track', 'trace', 'follow'],
];
const small = new Set('a an the to of for by in on at with and or from into my your their its'.split(' '));

/** Cut a text into the words that mentions are looked for in: lower case, plural s off above four letters. */
export const wordSet = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => [word, singular(word)]));

const singular = (word: string): string => (word.length > 4 && /[^s]s$/u.test(word) ? word.slice(0, -1) : word);

/** What a text must hold to speak of one tool. */
export interface ToolWords {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
}

export function toolWords({ name }: Pick<Tool, 'name'>): ToolWords {
  const [verb = '', ...rest] = wordsOfName(name);
  const verbs = [...new Set([verb, ...synonyms.filter((row) => row.includes(verb)).flat()])];
  return { name: name.toLowerCase(), verbs, nouns: rest.filter((word) => !small.has(word)).map(singular) };
}

/** Say whether a text names a tool: its name, or one of its verbs and all its nouns. */
export function namesTool(text: string, words: ReadonlySet<string>, tool: ToolWords): boolean {
  if (text.toLowerCase().includes(tool.name)) return true;
  return tool.nouns.length > 0 && tool.verbs.some((verb) => words.has(verb)) && hasNouns(words, tool);
}

/** Say whether a text is about what a tool works on. */
export const hasNouns = (words: ReadonlySet<string>, tool: ToolWords): boolean =>
  tool.nouns.length > 0 && tool.nouns.every((noun) => words.has(noun));
