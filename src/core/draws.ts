import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Draw a number in [0, 1) from (seed, id, purpose): the same parts give the same number in any process and any order,
 * so that nothing depends on who drew before. It is the first 53 bits of the SHA-256 of the parts as canonical JSON: any
 * language can check it. About 2 µs.
 *
 * @source house rule
 */
export function draw(...parts: readonly unknown[]): number {
  const bytes = digestOf(parts);
  return fraction(bytes.readUInt32BE(0), bytes.readUInt32BE(4));
}

/** Draw an integer in [low, high], both included, from the parts. */
export function drawInt(low: number, high: number, ...parts: readonly unknown[]): number {
  return low + Math.floor(draw(...parts) * (high - low + 1));
}

/** Draw one element of a list that is not empty. */
export function drawOne<T>(list: readonly [T, ...T[]] | readonly T[], ...parts: readonly unknown[]): T {
  return list[Math.floor(draw(...parts) * list.length)] as T;
}

/** Random numbers that depend on their seed alone: the same calls in the same order give the same numbers. */
export interface Draws {
  /** The next number from 0 (inclusive) to 1 (exclusive), of 53 bits. */
  next(): number;
  /** The next whole number from 0 to n - 1, without bias. n is 1 to 2^32. */
  int(n: number): number;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A new list in random order. */
  shuffle<T>(list: readonly T[]): T[];
}

/**
 * Make a generator from (seed, id, purpose), for whoever needs many numbers of one purpose: xoshiro128** seeded with the
 * first 128 bits of the same digest as `draw`. About 2 µs to make, 10 ns a number.
 *
 * @source Blackman and Vigna 2021, Scrambled linear pseudorandom number generators
 */
export function draws(...parts: readonly unknown[]): Draws {
  const bytes = digestOf(parts);
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32BE(at)) as [number, number, number, number];
  const bits = (): number => {
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return scrambled >>> 0;
  };
  const int = (n: number): number => {
    const even = 2 ** 32 - (2 ** 32 % n); // what lies above would favour the small numbers
    let drawn = bits();
    while (drawn >= even) drawn = bits();
    return drawn % n;
  };
  return {
    next: () => fraction(bits(), bits()),
    int,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[int(list.length)] as T; // below its length
    },
    shuffle<T>(list: readonly T[]): T[] {
      const mixed = [...list];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = int(last + 1);
        [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T]; // both are below its length
      }
      return mixed;
    },
  };
}

const digestOf = (parts: readonly unknown[]): Buffer => hash('sha256', canonicalJson(parts), 'buffer');

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** 53 bits of two words as a number below 1. */
const fraction = (high: number, low: number): number => (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
