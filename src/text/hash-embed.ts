import { blake2b } from '@noble/hashes/blake2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isAscii } from './ascii.ts';

const buckets = 256;
const maxCached = 100_000;

/**
 * Embed text without a model: counts of words and word pairs in 256 hashed buckets, numbers folded to one token, length
 * 1 (0 for text without words). Lexical: it sees which words stand together, not what they mean. Letters of any script
 * are words; text without any falls back to its character triples.
 *
 * @source house rule `hash-word-bigram-v2`; feature hashing (Weinberger et al. 2009)
 */
export function hashEmbed(text: string): Float64Array {
  const vector = new Float64Array(buckets);
  const tokens = text.toLowerCase().match(isAscii(text) ? asciiToken : token) ?? [];
  let before: Word | undefined;
  for (const one of tokens) {
    const word = wordOf(one);
    count(vector, word.bucket);
    if (before) count(vector, pairBucket(before, word));
    before = word;
  }
  if (!before) for (const triple of triples(text.trim())) count(vector, bucketOf(`c:${triple}`));
  let squares = 0;
  for (let at = 0; at < buckets; at++) squares += (vector[at] as number) ** 2;
  const length = Math.sqrt(squares);
  if (length > 0) for (let at = 0; at < buckets; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}

function count(vector: Float64Array, bucket: number): void {
  vector[bucket] = (vector[bucket] as number) + 1;
}

/** Compare two embeddings of length 1 (or 0): 1 is the same words, 0 none in common. */
export function cosine(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}

/** Chinese, Japanese and Korean: each character is a token, or two sentences that differ in one share nothing. */
const alone = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const token = new RegExp(`[${alone}]\\p{M}*|(?:(?![${alone}])[\\p{L}\\p{M}])+|\\p{N}+`, 'gu');
const asciiToken = /[a-z]+|\d+/g;

function triples(text: string): readonly string[] {
  const letters = [...text];
  return letters.slice(2).map((_, n) => letters.slice(n, n + 3).join(''));
}

/** A word with the bucket it is hashed to, and those of the pairs it opens. */
interface Word {
  readonly text: string;
  readonly bucket: number;
  readonly pairs: Map<Word, number>;
}

/** Hashing costs more than looking up, and texts share their words and most of their pairs. */
const known = new Map<string, Word>();
let cached = 0;

function wordOf(token: string): Word {
  const text = isNumber(token) ? '<num>' : token;
  const before = known.get(text);
  if (before) return before;
  const word = { text, bucket: bucketOf(`w:${text}`), pairs: new Map<Word, number>() };
  remember();
  known.set(text, word);
  return word;
}

function isNumber(token: string): boolean {
  const code = token.charCodeAt(0);
  return code < 128 ? code < 58 : /^\p{N}/u.test(token); // of ASCII, a token holds letters and digits alone
}

function pairBucket(one: Word, next: Word): number {
  const before = one.pairs.get(next);
  if (before !== undefined) return before;
  const bucket = bucketOf(`b:${one.text}>${next.text}`);
  remember();
  one.pairs.set(next, bucket);
  return bucket;
}

function remember(): void {
  if (cached++ < maxCached) return;
  known.clear();
  cached = 0;
}

/** The digest, read big-endian, modulo 256. */
const bucketOf = (feature: string): number => blake2b(utf8ToBytes(feature), { dkLen: 8 })[7] as number;
