/** A sum kept in two parts, what a number holds and what it rounded off: the same in any order of the values. */
export interface ExactSum {
  high: number;
  low: number;
}

export const emptySum = (): ExactSum => ({ high: 0, low: 0 });

/**
 * Add a finite value, or another sum's two parts one after the other.
 *
 * @source Knuth, TAOCP vol. 2, 4.2.2 (two-sum)
 */
export function addTo(sum: ExactSum, value: number): void {
  const high = sum.high + value;
  const part = high - sum.high;
  const lost = sum.high - (high - part) + (value - part);
  const low = sum.low + lost;
  sum.high = high + low;
  sum.low = low - (sum.high - high);
}

/** Read the sum as one number. */
export const totalOf = ({ high, low }: ExactSum): number => high + low;
