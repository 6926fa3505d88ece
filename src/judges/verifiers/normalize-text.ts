export interface Normalizing {
  readonly lower?: boolean;
  readonly stripPunct?: boolean;
  readonly collapseWs?: boolean;
}

/** A sign, a decimal point or a thousands comma; else punctuation or a symbol. The look-around is one character wide. */
const marks = /(?<![\p{L}\p{N}])([+\-−])(?=\.?\d)|(?<!\p{L})(\.)(?=\d)|(?<=\d)(,)(?=\d)|[\p{P}\p{S}]/gu;
const between = /(?<=\d)[\p{P}\p{S}](?=\d)/u;

/** What most answers are: the work that these spare is most of it. */
const plain = /^[\x20-\x7e\n]*$/;
const wordsOnly = /^[a-zA-Z0-9\s]*$/;
const blanks = /[^\S ]|\s\s/u;

/**
 * Bring a text to the form in which answers are compared: NFKC, lower case, no punctuation or symbols, runs of whitespace
 * as one space, trimmed. What belongs to a number stays: its sign, decimal point and thousands commas; other marks between
 * two digits become a space, so that 3/4 is not 34.
 *
 * @source house rule
 */
export function normalizeText(text: string, { lower = true, stripPunct = true, collapseWs = true }: Normalizing = {}) {
  let out = plain.test(text) ? text : text.normalize('NFKC');
  if (lower) out = out.toLowerCase();
  if (stripPunct && !wordsOnly.test(out))
    out = out.replace(marks, (mark: string, sign?: string, point?: string, comma?: string, ...rest: unknown[]) => {
      if (sign) return sign === '−' ? '-' : sign;
      if (point || comma) return mark;
      const [at, whole] = rest as [number, string];
      return between.test(whole.slice(at - 1, at + mark.length + 1)) ? ' ' : '';
    });
  if (collapseWs && blanks.test(out)) out = out.replace(/\s+/gu, ' ');
  return out.trim();
}
