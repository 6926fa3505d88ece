const wordless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const token = new RegExp(`[${wordless}]|[\\p{L}\\p{M}_]{2,}|\\p{Nd}+|\\S`, 'gu');

/**
 * Cut a text into tokens, lower case: words of two letters or more in any script, runs of digits, and every other character
 * by itself. Chinese, Japanese and Thai give a token for each character.
 */
export function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(token) ?? [];
}

/** The distinct tokens of a text and its pairs of neighbours: `done`, `# done`. */
export function termsOf(tokens: readonly string[]): ReadonlySet<string> {
  const terms = new Set(tokens);
  for (let at = 1; at < tokens.length; at++) terms.add(`${tokens[at - 1]} ${tokens[at]}`);
  return terms;
}
