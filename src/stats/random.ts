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

const warmUp = 64; // the generator's state starts with one word of seed: its first draws are nearly the same for all seeds

/** Start the stream of draws of a seed. Streams of neighbouring seeds have nothing in common. */
export function randomStream(seed: number): Random {
  const generator = xoroshiro128plus(Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) ^ 0x297a2d39);
  for (let at = 0; at < warmUp; at++) generator.next();
  const bits = () => generator.next() >>> 0;
  return {
    bits,
    uniform: () => (bits() * 2 ** 21 + (bits() >>> 11)) / 2 ** 53,
    below: (end) => Math.floor((bits() / 2 ** 32) * end), // the bias is below end / 2^32
  };
}
