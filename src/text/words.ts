import { isAscii } from './ascii.ts';

/** Scripts written without spaces: each character stands for a word. */
export const wordless =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const word = new RegExp(`[${wordless}][\\p{M}]*|(?:(?![${wordless}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const asciiWord = /[a-z\d]+/g;

/**
 * Cut a text into words in any script, folded: NFKC, lower case, format characters removed. Punctuation is no word; Chinese,
 * Japanese and Thai, which have no spaces, give a word for each character.
 *
 * @source house rule
 */
export function wordsOf(text: string): readonly string[] {
  if (isAscii(text)) return text.toLowerCase().match(asciiWord) ?? [];
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\p{Cf}/gu, '')
      .match(word) ?? []
  );
}
