import { knownWords } from './tokens.ts';

const delimited = /\$\$?([^$]+)\$\$?|\\\((.+?)\\\)|\\\[(.+?)\\\]/gs;
const aside = /(?<![\w\\}])\([^()\\]*[A-Za-z]{3}[^()\\]*\)/g;
const units = new Set([
  'cm',
  'mm',
  'km',
  'nm',
  'kg',
  'mg',
  'ml',
  'hr',
  'ft',
  'in',
  'oz',
  'lb',
  'mi',
  'yd',
  'hz',
  'mph',
  'kmh',
]);
const shortWords = new Set([
  'is',
  'so',
  'we',
  'to',
  'of',
  'in',
  'at',
  'by',
  'it',
  'as',
  'be',
  'an',
  'on',
  'if',
  'my',
  'us',
]);
for (const word of ['am', 'pm', 'no', 'do', 'he', 'or', 'and']) shortWords.add(word);

/**
 * Find the mathematics in words, the last first: what stands between dollar signs, else the stretches between words. A
 * remark in parentheses is none of it.
 */
export function expressionsIn(text: string): string[] {
  const marked = [...text.matchAll(delimited)].map((found) => found.slice(1).find((body) => body !== undefined) ?? '');
  if (marked.length > 0) return marked.reverse();
  const plain = text.replace(aside, ' ');
  const found = stretches(plain);
  if (found.length === 1 && plain === text) return []; // no words: what cannot be read is no answer
  return found
    .map((stretch) => stretch.replace(/^[\s,;:.!?)=]+(?!\d)|[\s,;:.!?(=]+$/g, '').trim())
    .filter((stretch) => /[\d\\]|^[A-Za-z]$/.test(stretch))
    .reverse();
}

/** Cut at every run of letters that is a word. */
function stretches(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/(\\?)([A-Za-z]+)/g)) {
    const [whole, slash = '', word = ''] = match;
    if (slash !== '' || !isWord(word, text[match.index - 1])) continue;
    found.push(text.slice(start, match.index));
    start = match.index + whole.length;
  }
  return [...found, text.slice(start)];
}

function isWord(word: string, before: string | undefined): boolean {
  const lower = word.toLowerCase();
  if (knownWords.has(lower)) return false;
  if (units.has(lower) || word.length > 3) return true;
  if (word.length === 1) return false;
  // 2xy is a product, "for" and "the" are words
  return shortWords.has(lower) || before === undefined || /\s/.test(before) || word.length === 3;
}
