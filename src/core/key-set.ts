import { type Hash, hash128 } from './hash.ts';

/** Remembers the last `maxKeys` texts it was given, as hashes of 128 bits. */
export interface KeySet {
  /** True when the text is new; it is remembered then. A text that is known already is not renewed. */
  add(text: string): boolean;
  has(text: string): boolean;
  size(): number;
}

const words = 4;

/**
 * Make a set of texts that forgets the oldest. Memory: 24 to 48 bytes a text, whatever its length; it grows as it fills.
 * Two texts are taken for one once in 10^27 for a million texts.
 */
export function createKeySet(maxKeys: number): KeySet {
  let table = createTable(Math.min(maxKeys, 1024));
  let oldest = 0; // once full: the slot to be used again
  return {
    add(text) {
      const hash = hash128(text);
      if (table.find(hash) >= 0) return false;
      if (table.count() < maxKeys) {
        if (table.isFull()) table = grown(table, Math.min(maxKeys, table.count() * 2));
        table.append(hash);
      } else {
        table.replace(oldest, hash);
        oldest = (oldest + 1) % maxKeys;
      }
      return true;
    },
    has: (text) => table.find(hash128(text)) >= 0,
    size: () => table.count(),
  };
}

type Table = ReturnType<typeof createTable>;

/** Slots of hashes, chained by bucket. */
function createTable(slots: number) {
  const buckets = 2 ** Math.ceil(Math.log2(slots));
  const hashes = new Uint32Array(slots * words);
  const next = new Int32Array(slots);
  const heads = new Int32Array(buckets).fill(-1);
  let count = 0;
  const bucketOf = (low: number) => low & (buckets - 1);
  const at = (slot: number, word: number): number => hashes[slot * words + word] ?? 0;
  const put = (slot: number, hash: Hash): void => {
    hashes.set(hash, slot * words);
    const bucket = bucketOf(hash[0]);
    next[slot] = heads[bucket] ?? -1;
    heads[bucket] = slot;
  };
  const take = (slot: number): void => {
    const bucket = bucketOf(at(slot, 0));
    const after = next[slot] ?? -1;
    let before = heads[bucket] ?? -1;
    if (before === slot) heads[bucket] = after;
    else {
      while (next[before] !== slot) before = next[before] ?? -1;
      next[before] = after;
    }
  };
  return {
    count: () => count,
    isFull: () => count === slots,
    hash: (slot: number): Hash => [at(slot, 0), at(slot, 1), at(slot, 2), at(slot, 3)],
    /** The slot of a hash, or -1. */
    find([a, b, c, d]: Hash): number {
      let slot = heads[bucketOf(a)] ?? -1;
      while (slot >= 0 && !(at(slot, 0) === a && at(slot, 1) === b && at(slot, 2) === c && at(slot, 3) === d))
        slot = next[slot] ?? -1;
      return slot;
    },
    append: (hash: Hash): void => put(count++, hash),
    replace(slot: number, hash: Hash): void {
      take(slot);
      put(slot, hash);
    },
  };
}

function grown(table: Table, slots: number): Table {
  const larger = createTable(slots);
  for (let slot = 0; slot < table.count(); slot++) larger.append(table.hash(slot));
  return larger;
}
