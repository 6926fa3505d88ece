/** A cell: text also for what is neither a number nor text. */
export type Cell = string | number | bigint | null;
export type Cells = readonly Cell[];

/**
 * Compare the rows of two queries: by place of the column, each as often as in the other, in order only when `isOrdered`.
 * Numbers are equal within 1e-6, relative above 1. Rows that are the same take linear time; of the others at most 500 are
 * paired one by one, more are paired in sorted order.
 *
 * @source house rule
 */
export function sameResult(got: readonly Cells[], want: readonly Cells[], isOrdered: boolean): boolean {
  if (got.length !== want.length) return false;
  if (isOrdered) return got.every((row, n) => sameRow(row, want[n] ?? []));
  const [left, right] = unpaired(got, want);
  if (left.length > 500) return pairs(left.toSorted(byCells), right.toSorted(byCells));
  return left.every((row) => {
    const at = right.findIndex((other) => sameRow(row, other));
    if (at >= 0) right.splice(at, 1);
    return at >= 0;
  });
}

const pairs = (left: readonly Cells[], right: readonly Cells[]) => left.every((row, n) => sameRow(row, right[n] ?? []));

/** The rows of each that the other has not, written in the same way. */
function unpaired(got: readonly Cells[], want: readonly Cells[]): [Cells[], Cells[]] {
  const left = new Map<string, Cells[]>();
  for (const row of got) {
    const key = keyOf(row);
    const same = left.get(key);
    if (same) same.push(row);
    else left.set(key, [row]);
  }
  const right = want.filter((row) => left.get(keyOf(row))?.pop() === undefined);
  return [[...left.values()].flat(), right];
}

const keyOf = (row: Cells) => JSON.stringify(row.map((cell) => (isNumber(cell) ? [String(cell)] : cell)));
const isNumber = (cell: Cell | undefined): cell is number | bigint =>
  typeof cell === 'number' || typeof cell === 'bigint';
const sameRow = (row: Cells, other: Cells) =>
  row.length === other.length && row.every((cell, n) => same(cell, other[n]));

function same(a: Cell, b: Cell | undefined): boolean {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b;
  if (!isNumber(a) || !isNumber(b)) return a === b;
  const [x, y] = [Number(a), Number(b)];
  return x === y || Math.abs(x - y) <= 1e-6 * Math.max(1, Math.abs(y));
}

function byCells(a: Cells, b: Cells): number {
  for (const [n, cell] of a.entries()) {
    const order = byValue(cell, b[n] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function byValue(a: Cell, b: Cell): number {
  const [x, y] = isNumber(a) && isNumber(b) ? [a, b] : [String(a), String(b)];
  return x === y ? 0 : x < y ? -1 : 1;
}
