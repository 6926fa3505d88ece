import type { Texture } from './labels.ts';
import type { Luck } from './luck.ts';

const abbreviations: Readonly<Record<string, string>> = {
  please: 'pls',
  you: 'u',
  your: 'ur',
  are: 'r',
  because: 'bc',
  before: 'b4',
  thanks: 'thx',
  and: '&',
  with: 'w/',
  about: 'abt',
  minutes: 'min',
  appointment: 'appt',
  account: 'acct',
  number: 'no.',
  tomorrow: 'tmrw',
  people: 'ppl',
  something: 'sth',
  somebody: 'sb',
};
/** Without `and` and `could` two wishes become one, and what failed becomes what was never tried: they stay. */
const dropped = new Set(
  `i i'd i'm a an the my our your we you to be is am are it that this would can please will have has do does so just very
  of for me`.split(/\s+/u),
);

/**
 * Type a text in a certain way, so that the way shows. Identifiers keep their letters.
 * Undefined when the text gives no hold for it: too few words, nothing to leave out.
 */
export function typed(text: string, texture: Texture, luck: Luck): string | undefined {
  switch (texture) {
    case 'lowercase':
      return byWord(text, (word) => (isIdentifier(word) ? word : word.toLowerCase()));
    case 'abbreviations':
      return shown(text, byWord(text, abbreviated));
    case 'typo':
      return shown(text, withTypos(text, luck));
    case 'no_punctuation':
      return shown(text, unpunctuated(text));
    case 'run_on':
      return runOn(text);
    case 'clipped':
      return shown(text, clipped(text));
    case 'standard':
      return text;
  }
}

/** Letters and digits together, or an address: what must arrive as it was meant. */
export const isIdentifier = (word: string): boolean =>
  /@|\p{L}[^\s\p{L}]*\d|\d[^\s\p{L}]*\p{L}/u.test(word) && !/^\d+(?:st|nd|rd|th)\b/u.test(word);

const byWord = (text: string, change: (word: string) => string): string => text.replace(/\S+/gu, change);
const shown = (before: string, after: string): string | undefined =>
  after === before || after.trim() === '' ? undefined : after;

function abbreviated(word: string): string {
  const [, core = '', tail = ''] = /^(\p{L}+)([.,!?;:]*)$/u.exec(word) ?? [];
  const short = Object.hasOwn(abbreviations, core.toLowerCase()) ? abbreviations[core.toLowerCase()] : undefined;
  return short === undefined ? word : short + tail;
}

function withTypos(text: string, luck: Luck): string {
  const words = text.split(' ');
  const open = words.flatMap((word, n) => (/^\p{Ll}{5,}[.,!?]*$/u.test(word) ? [n] : []));
  for (let typo = 0; typo < 2 && open.length > 0; typo++) {
    const [at = 0] = open.splice(Math.floor(luck.of(`typo ${typo}`) * open.length), 1);
    words[at] = transposed(words[at] ?? '', luck.of(`typo at ${typo}`));
  }
  return words.join(' ');
}

/** Two inner letters that differ change places. */
function transposed(word: string, at: number): string {
  const inner = [...word].flatMap((letter, n, all) =>
    n > 0 && n < all.length - 2 && /\p{L}/u.test(all[n + 1] ?? '') && letter !== all[n + 1] ? [n] : [],
  );
  const n = inner[Math.floor(at * inner.length)];
  return n === undefined ? word : word.slice(0, n) + word.charAt(n + 1) + word.charAt(n) + word.slice(n + 2);
}

/** Marks between words go; those inside a number, an address or a short form stay. */
const unpunctuated = (text: string): string =>
  byWord(text, (word) => word.replace(/^["'(]+|[.,!?;:"')]+$/gu, ''))
    .replace(/\s+/gu, ' ')
    .trim();

function runOn(text: string): string | undefined {
  const parts = text.replace(/[.!?]+$/u, '').split(/[.!?]+\s+/u);
  if (parts.length < 2) return undefined;
  return parts.map((part, n) => (n === 0 ? part : lowerStart(part))).join(' and ');
}

const lowerStart = (text: string): string =>
  /^I\b|^\p{Lu}{2}/u.test(text) || isIdentifier(text.split(' ')[0] ?? '')
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);

function clipped(text: string): string {
  const words = text.split(' ');
  const kept = words.filter(
    (word, n) => n > words.length - 2 || !dropped.has(word.toLowerCase().replace(/[.,!?;:]+$/u, '')),
  );
  return words.length - kept.length < 2 ? text : kept.join(' ');
}
