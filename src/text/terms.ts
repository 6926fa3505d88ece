import { isAscii } from './ascii.ts';

const wordless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const token = new RegExp(`[${wordless}]|[\\p{L}\\p{M}_]{2,}|\\p{Nd}+|\\S`, 'gu');
const asciiToken = /[a-z_]{2,}|\d+|\S/g;

/**
 * Cut a text into tokens, lower case: words of two letters or more in any script, runs of digits, and every other character
 * by itself. Chinese, Japanese and Thai give a token for each character.
 */
export function tokensOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(isAscii(lower) ? asciiToken : token) ?? [];
}
