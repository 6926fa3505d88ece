/** Planned pairs of axis values, and how many of them rows have shown. */
export interface PairwiseCoverage {
  readonly pairs_planned: number;
  readonly pairs_covered: number;
  /** Four digits; null when nothing is planned. */
  readonly fraction: number | null;
}

/**
 * Make a numbering of pairs: cells in, the numbers of their pairs of (axis, value) out; equal pairs have equal numbers.
 * Empty values and the origin of a row are no axis values. Memory: the distinct values.
 */
export function pairNumbers(): (cell: unknown) => readonly number[] {
  const values = new Map<string, number>();
  const numberOf = (axis: string, value: unknown) => {
    const key = `${axis}\u0000${String(value)}`;
    const known = values.get(key) ?? values.size;
    values.set(key, known);
    return known;
  };
  return (cell) => {
    if (cell === null || typeof cell !== 'object') return [];
    const own: number[] = [];
    for (const [axis, value] of Object.entries(cell))
      if (axis !== 'origin' && value !== null && value !== undefined && value !== '') own.push(numberOf(axis, value));
    const pairs: number[] = [];
    for (const [n, a] of own.entries()) for (let m = n + 1; m < own.length; m++) pairs.push(pairOf(a, own[m] ?? 0));
    return pairs;
  };
}

const pairOf = (a: number, b: number): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);

/** Count the distinct pairs of values that stand together in the cells. */
export function countPairs(cells: Iterable<unknown>): number {
  const numbers = pairNumbers();
  const pairs = new Set<number>();
  for (const cell of cells) for (const pair of numbers(cell)) pairs.add(pair);
  return pairs.size;
}

/**
 * Measure how many planned pairs the rows have shown; pairs that nobody planned add nothing.
 * Memory: the planned pairs.
 *
 * @source Kuhn, Wallace, Gallo (IEEE TSE 2004)
 */
export function pairwiseCoverage(planned: Iterable<unknown>, observed: Iterable<unknown>): PairwiseCoverage {
  const numbers = pairNumbers();
  const open = new Set<number>();
  for (const cell of planned) for (const pair of numbers(cell)) open.add(pair);
  const total = open.size;
  for (const cell of observed) for (const pair of numbers(cell)) open.delete(pair);
  const covered = total - open.size;
  return {
    pairs_planned: total,
    pairs_covered: covered,
    fraction: total === 0 ? null : Math.round((covered / total) * 1e4) / 1e4,
  };
}
