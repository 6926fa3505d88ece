import { plainQuotes } from '../../text/phrases.ts';
import { wordless } from '../../text/words.ts';

/** Fold a text for looking values up in it: NFC, lower case, straight quotes, runs of whitespace one space. */
export const foldContext = (text: string): string =>
  plainQuotes(text.normalize('NFC')).toLowerCase().replace(/\s+/gu, ' ').trim();

const between = '[\\s_-]*';
/** A character that a word has on both sides; in scripts without spaces every character is one of its own. */
const inWord = `(?![${wordless}])[\\p{L}\\p{N}]`;
const wordCharacter = new RegExp(`^${inWord}`, 'u');

/**
 * Say whether a value stands in a folded context as whole words, spaces, `_` and `-` between its characters aside: `ORD-4017`
 * in `ord 4017`, but not `234` in `12345`.
 */
export function isGrounded(value: string, context: string): boolean {
  const folded = foldContext(value);
  if (standsAlone(folded, context)) return true;
  const characters = [...folded.replace(/[\s_-]/gu, '')];
  if (characters.length === 0 || characters.length > maxLoose) return characters.length === 0;
  const loose = characters.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')).join(between);
  const before = wordCharacter.test(characters[0] ?? '') ? `(?<!${inWord})` : '';
  const after = wordCharacter.test(characters.at(-1) ?? '') ? `(?!${inWord})` : '';
  return new RegExp(`${before}${loose}${after}`, 'u').test(context);
}

const maxLoose = 200; // characters; a longer text is a message of its own, not a value that was passed on

function standsAlone(value: string, context: string): boolean {
  const isOpen = (inside: string, outside: string) => !(wordCharacter.test(inside) && wordCharacter.test(outside));
  for (let at = context.indexOf(value); at >= 0; at = context.indexOf(value, at + 1)) {
    if (isOpen(value[0] ?? '', context[at - 1] ?? '') && isOpen(value.at(-1) ?? '', context[at + value.length] ?? ''))
      return true;
  }
  return false;
}
