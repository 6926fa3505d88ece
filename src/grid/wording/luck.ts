import { draw } from '../../core/draws.ts';

/** The chance behind one ask: every choice draws by its own name, so that adding one moves no other. */
export interface Luck {
  /** A number in [0, 1) for this purpose. */
  readonly of: (purpose: string) => number;
  readonly chance: (share: number, purpose: string) => boolean;
  /** One of the items; a list must not be empty. */
  readonly pick: <T>(items: readonly T[], purpose: string) => T;
}

/** Make the luck of one identity; its parts are hashed once, each purpose then costs 0.1 µs. */
export function luckOf(...parts: readonly unknown[]): Luck {
  const root = Math.floor(draw(...parts) * 2 ** 32);
  const of = (purpose: string) => mix(root, purpose) / 2 ** 32;
  return {
    of,
    chance: (share, purpose) => of(purpose) < share,
    pick: <T>(items: readonly T[], purpose: string) => items[Math.floor(of(purpose) * items.length)] as T, // a list is not empty
  };
}

/** FNV-1a over the purpose, started at the root and mixed at the end. */
function mix(root: number, purpose: string): number {
  let hash = root ^ 0x811c9dc5;
  for (let at = 0; at < purpose.length; at++) hash = Math.imul(hash ^ purpose.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
