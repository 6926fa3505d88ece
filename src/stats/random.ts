import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of draws that a seed fixes. For inner loops; a draw that belongs to a row is `draw` of core. */
export interface Random {
  /** 32 random bits, as a number from 0 to 2^32 - 1. */
  bits(): number;
  /** A number from 0 up to, not including, 1. */
  uniform(): number;
  /** An integer from 0 up to, not including, `end`; `end` is at most 2^32. */
  below(end: number): number;
}

const warmUp = 32; // the generator's state starts with one word of seed: its first draws are nearly the same for all seeds

/** Start the stream of draws of a seed. Streams of neighbouring seeds have nothing in common. */
export function randomStream(seed: number): Random {
  const generator = xoroshiro128plus(mixed(seed));
  for (let at = 0; at < warmUp; at++) generator.next();
  const bits = () => generator.next() >>> 0;
  return {
    bits,
    uniform: () => (bits() * 2 ** 21 + (bits() >>> 11)) / 2 ** 53,
    below: (end) => Math.floor((bits() / 2 ** 32) * end), // the bias is below end / 2^32
  };
}

/** The 32-bit finalizer of MurmurHash3, started from the golden ratio as splitmix does. */
function mixed(seed: number): number {
  let hash = (seed + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
