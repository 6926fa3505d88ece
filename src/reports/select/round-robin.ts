/**
 * Take one item from each bucket in turn until all are taken. Items keep their order inside a bucket; buckets come largest
 * first, equal ones by name, so that the order of the input does not show.
 */
export function roundRobin<T>(buckets: ReadonlyMap<string, readonly T[]>): readonly T[] {
  const ordered = [...buckets]
    .sort(([x, a], [y, b]) => b.length - a.length || (x < y ? -1 : 1))
    .map(([, items]) => items);
  return inTurn(ordered);
}

/** Take one item from each list in turn, lists in the order given. */
export function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const rounds = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: rounds }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}

/** Gather items under the name each is given, in their order. */
export function bucketsOf<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const buckets = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const bucket = buckets.get(name);
    if (bucket) bucket.push(item);
    else buckets.set(name, [item]);
  }
  return buckets;
}
