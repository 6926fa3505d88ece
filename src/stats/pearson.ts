/**
 * Give the ordinary correlation of two columns; null under 3 points or when one of them does not vary.
 *
 * @param xs - as many values as `ys`
 */
export function pearson(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  const n = xs.length;
  if (n < 3) return null;
  const [meanX, meanY] = [average(xs), average(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let at = 0; at < n; at++) {
    const x = (xs[at] as number) - meanX;
    const y = (ys[at] as number) - meanY;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  const spread = Math.sqrt(xx * yy);
  return spread > 1e-12 ? Math.max(-1, Math.min(1, xy / spread)) : null;
}

function average(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  return sum / values.length;
}
