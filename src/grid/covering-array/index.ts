import { GrowingArray } from './growing-array.ts';

/**
 * Build rows of value indices, one column an axis of `sizes` values, such that every pair of values of any two axes
 * stands together in some row. The number of rows is the product of the two widest axes, the least possible, or close
 * to it. Cost: rows x values x axes squared.
 *
 * @source Kuhn, Wallace, Gallo (IEEE TSE 2004); growth by parameter after Lei and Tai (IPO, HASE 1998)
 */
export function coveringArray(sizes: readonly number[]): readonly (readonly number[])[] {
  if (sizes.length === 0 || sizes.some((size) => size < 1)) return [];
  const order = sizes.map((_, axis) => axis).sort((a, b) => at(sizes, b) - at(sizes, a) || a - b);
  const widest = order.map((axis) => at(sizes, axis));
  const rows = shortest(widest);
  return rows.map((row) => sizes.map((_, axis) => at(row, order.indexOf(axis))));
}

const maxTriedRows = 150; // a wider product leaves room enough for growth to reach the bound
const tries = 24;

/** Grow from the product of the two widest axes; where a small or square one is too tight for that, pack rows instead. */
function shortest(sizes: readonly number[]): readonly (readonly number[])[] {
  const grown = grownArray(sizes);
  const bound = at(sizes, 0) * (sizes.length > 1 ? at(sizes, 1) : 1);
  let best = grown;
  for (let seed = 0; seed < tries && best.length > bound && bound <= maxTriedRows; seed++) {
    const packed = packedArray(sizes, seed);
    if (packed.length < best.length) best = packed;
  }
  return best;
}

function grownArray(sizes: readonly number[]): readonly (readonly number[])[] {
  const array = new GrowingArray(sizes);
  array.addProduct();
  for (let axis = Math.min(2, sizes.length); axis < sizes.length; axis++) array.grow(axis);
  array.addMissing();
  return array.rows;
}

function packedArray(sizes: readonly number[], seed: number): readonly (readonly number[])[] {
  const array = new GrowingArray(sizes);
  array.pack(seed);
  return array.rows;
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0;
