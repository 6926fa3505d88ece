import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Draw a number in [0, 1) from (seed, id, purpose): the same parts give the same number in any process and any order,
 * so that nothing depends on who drew before.
 *
 * @source house rule
 */
export function draw(...parts: readonly unknown[]): number {
  const digest = createHash('sha256').update(canonicalJson(parts)).digest();
  return (digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11)) / 2 ** 53;
}

/** Draw an integer in [low, high], both included, from the parts. */
export function drawInt(low: number, high: number, ...parts: readonly unknown[]): number {
  return low + Math.floor(draw(...parts) * (high - low + 1));
}

/** Draw one element of a list that is not empty. */
export function drawOne<T>(list: readonly [T, ...T[]] | readonly T[], ...parts: readonly unknown[]): T {
  return list[Math.floor(draw(...parts) * list.length)] as T;
}
