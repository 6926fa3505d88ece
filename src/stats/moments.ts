/** Average the values; NaN when there are none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  return sum / values.length;
}

/** Give the variance with n - 1 below the line; NaN under two values. Two passes, so that equal values give 0. */
export function sampleVariance(values: ArrayLike<number>): number {
  if (values.length < 2) return Number.NaN;
  const middle = mean(values);
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += ((values[at] as number) - middle) ** 2;
  return sum / (values.length - 1);
}
