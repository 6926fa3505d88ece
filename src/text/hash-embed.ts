import { blake2b } from '@noble/hashes/blake2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

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
  for (const feature of features(text)) {
    const bucket = bucketOf(feature);
    vector[bucket] = (vector[bucket] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((count) => count / length);
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

function features(text: string): readonly string[] {
  const tokens = text.toLowerCase().match(token) ?? [];
  const words = tokens.map((token) => (/^\p{N}/u.test(token) ? '<num>' : token));
  const named = words.map((word) => `w:${word}`);
  for (const [n, word] of words.entries()) if (n > 0) named.push(`b:${words[n - 1]}>${word}`);
  return words.length > 0 ? named : triples(text.trim());
}

function triples(text: string): readonly string[] {
  const letters = [...text];
  return letters.slice(2).map((_, n) => `c:${letters.slice(n, n + 3).join('')}`);
}

const cached = new Map<string, number>();

function bucketOf(feature: string): number {
  const known = cached.get(feature);
  if (known !== undefined) return known;
  const bucket = blake2b(utf8ToBytes(feature), { dkLen: 8 })[7] ?? 0; // the digest, read big-endian, modulo 256
  if (cached.size >= maxCached) cached.clear();
  cached.set(feature, bucket);
  return bucket;
}
