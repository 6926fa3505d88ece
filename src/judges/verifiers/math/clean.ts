const dropped =
  /\\(?:left|right|displaystyle|textstyle|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|limits|mathstrut)(?![a-zA-Z])|\\[!,;:> ]|\\q?quad(?![a-zA-Z])|~/g;
const style = /\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathit|mathsf|mbox|bf|rm|operatorname)\s*/;
const wholeText = new RegExp(String.raw`^\s*${style.source}\{([^{}]*)\}[\s.]*$`);
const join = new RegExp(String.raw`${style.source}\{\s*(?:or|and|,)\s*\}`, 'g');
const letter = /\\(?:mathrm|mathbf|mathit|textit|text|operatorname)\s*\{\s*([a-zA-Z]|[a-z]{2,8}(?=\}\s*[({\\]))\s*\}/g;
const unit = new RegExp(String.raw`${style.source}\{[^{}]*\}(?:\s*\^\s*(?:\{-?\d\}|\d))?`, 'g');

/** Take off what does not change an answer: delimiters, spacing, sizes, units in text, currency, a dot at the end. */
export function cleanMath(text: string): string {
  return text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g, (raised) => `^{${raised.normalize('NFKC')}}`) // NFKC alone would make x² an x2
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replaceAll('\u2212', '-')
    .replaceAll('{,}', '')
    .replace(/^\s*\*\*([^*]*)\*\*/, '$1')
    .replace(/\\[$€£¥]|[$€£¥]/g, '')
    .replace(/\\[()[\]]/g, ' ')
    .replace(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac')
    .replace(dropped, ' ')
    .replace(join, ' , ')
    .replace(letter, ' $1 ')
    .replace(unit, ' ')
    .replace(/\*\*/g, (stars, at: number, whole: string) => (/^\s*[\w({\\]/.test(whole.slice(at + 2)) ? '^' : stars))
    .trim()
    .replace(/^[=:]\s*/, '')
    .replace(/[\s.,;:]+$/, '')
    .trim();
}

/** An answer as words: `\text{}` and one pair of parentheses off, spaces folded, lower case. */
export function asWords(text: string): string {
  let words = text.trim().replace(/^\$+|\$+$/g, '');
  for (let round = 0; round < 3; round++) words = (wholeText.exec(words)?.[1] ?? words).trim();
  words = words.replace(new RegExp(`${style.source}\\{([^{}]*)\\}`, 'g'), '$1');
  words = words
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[\s.]+$/, '')
    .trim()
    .toLowerCase();
  return /^\(([^()]*)\)$/.exec(words)?.[1]?.trim() ?? words;
}

/** Whether an answer is words by its own mark-up. */
export const isTextMarkup = (text: string): boolean => wholeText.test(text.trim().replace(/^\$+|\$+$/g, ''));
