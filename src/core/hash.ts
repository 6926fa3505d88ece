/** Four words of 32 bits. */
export type Hash = [number, number, number, number];

const c1 = 0x239b961b;
const c2 = 0xab0e9789 | 0;
const c3 = 0x38b34ae5;
const c4 = 0xa1e38b93 | 0;

/** A text is copied here to be read as words: 12 times faster than to ask for its characters. */
const scratch = Buffer.alloc(1 << 16);
const words = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.length / 4);
const maxChars = scratch.length / 2;

/**
 * Hash a text to 128 bits, for tables: two texts share a hash once in 10^27 for a million texts. Not for ids, which are
 * SHA-256, and not against somebody who looks for two texts of one hash. About 1 ns a character.
 *
 * @source Appleby, MurmurHash3_x86_128, over the UTF-16 code units of the text
 */
export function hash128(text: string): Hash {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = text.length - (text.length % 8);
  for (let from = 0; from < whole; from += maxChars) {
    const end = fill(text, from, whole);
    for (let n = 0; n < end; n += 4) {
      a = (Math.imul((rotate(a ^ scramble(wordAt(n), c1, 15, c2), 19) + b) | 0, 5) + 0x561ccd1b) | 0;
      b = (Math.imul((rotate(b ^ scramble(wordAt(n + 1), c2, 16, c3), 17) + c) | 0, 5) + 0x0bcaa747) | 0;
      c = (Math.imul((rotate(c ^ scramble(wordAt(n + 2), c3, 17, c4), 15) + d) | 0, 5) + 0x96cd1c35) | 0;
      d = (Math.imul((rotate(d ^ scramble(wordAt(n + 3), c4, 18, c1), 13) + a) | 0, 5) + 0x32ac3b17) | 0;
    }
  }
  words.fill(0, 0, 4);
  fill(text, whole, text.length);
  const bytes = 2 * text.length;
  return finish(
    a ^ scramble(wordAt(0), c1, 15, c2) ^ bytes,
    b ^ scramble(wordAt(1), c2, 16, c3) ^ bytes,
    c ^ scramble(wordAt(2), c3, 17, c4) ^ bytes,
    d ^ scramble(wordAt(3), c4, 18, c1) ^ bytes,
  );
}

/** Copy a part of the text, as much as there is room for, and say how many words it is. */
function fill(text: string, from: number, end: number): number {
  const part =
    from === 0 && end === text.length && end <= maxChars ? text : text.slice(from, Math.min(end, from + maxChars));
  return scratch.write(part, 0, 'utf16le') / 4;
}

const wordAt = (n: number): number => words[n] ?? 0;

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

const scramble = (word: number, first: number, by: number, then: number): number =>
  Math.imul(rotate(Math.imul(word, first), by), then);

function finish(a: number, b: number, c: number, d: number): Hash {
  const sum = a + b + c + d;
  const [e, f, g, h] = [mix(sum), mix(b + sum), mix(c + sum), mix(d + sum)];
  const all = e + f + g + h;
  return [all >>> 0, (f + all) >>> 0, (g + all) >>> 0, (h + all) >>> 0];
}

function mix(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return second ^ (second >>> 16);
}
