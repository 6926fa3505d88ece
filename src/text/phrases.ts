import { isAscii } from './ascii.ts';
import { foldText } from './fold.ts';
import { letterPairs, pairTable } from './letter-pairs.ts';

const table = pairTable();

/** Fold the marks that writers and models type for an apostrophe and a quotation mark to the plain ones. */
export function plainQuotes(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(/[\u2018\u2019\u02BC\uFF07]/gu, "'").replace(/[\u201C\u201D\u201E\uFF02]/gu, '"');
}

/** A list of phrases, made ready to be looked for. */
export interface Phrases {
  readonly list: readonly string[];
  /** Whether any of them occurs. */
  test(text: string): boolean;
  /** The same for a text that `foldPhrase` has folded: many lists are looked for in one text. */
  testFolded(folded: string): boolean;
  /** Those that occur, in the order of the list. */
  found(text: string): readonly string[];
}

/**
 * Make phrases ready to be looked for: case, typographic apostrophes and runs of spaces do not matter, and a phrase starts
 * and ends at the edge of a word, so that `as an ai` is not found in `as an airline`.
 */
export function phrases(list: readonly string[]): Phrases {
  const folded = list.map(foldPhrase).filter((phrase) => phrase !== '');
  const any = new RegExp(folded.map(pattern).join('|') || '(?!)', 'u');
  const each = folded.map((phrase) => ({ phrase, one: new RegExp(pattern(phrase), 'u') }));
  const pairs = folded.map(letterPairs);
  /** A phrase that is there is there pair by pair: quicker to look for than the edges of its words. */
  const testFolded = (text: string) => {
    table.fill(text);
    return pairs.some(table.mayHold) && any.test(text);
  };
  return {
    list: folded,
    testFolded,
    test: (text) => testFolded(foldPhrase(text)),
    found(text) {
      const folded = foldPhrase(text);
      return testFolded(folded) ? each.filter(({ one }) => one.test(folded)).map(({ phrase }) => phrase) : [];
    },
  };
}

/** Fold a text for looking for phrases: `foldText` with plain quotation marks. */
export const foldPhrase = (text: string): string => foldText(plainQuotes(text));

function pattern(phrase: string): string {
  const escaped = phrase.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
  const before = /^[\p{L}\p{N}]/u.test(phrase) ? '(?<![\\p{L}\\p{N}_]-?)' : '';
  const after = /[\p{L}\p{N}]$/u.test(phrase) ? '(?!-?[\\p{L}\\p{N}_])' : '';
  return before + escaped + after;
}
