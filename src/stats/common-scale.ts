const slack = 1e-9; // task means are counts over counts: what is left of a whole number is rounding
const maxScale = 1e6;

/**
 * Find the least number that makes every value whole: the common denominator of values that are counts over counts.
 * Undefined when there is none up to a million, as for measured lengths or model scores.
 */
export function commonScale(values: readonly number[]): number | undefined {
  let scale = 1;
  for (const value of values) {
    const denominator = denominatorOf(value * scale);
    if (denominator === undefined) return undefined;
    scale *= denominator;
    if (scale > maxScale) return undefined;
  }
  return scale;
}

/** The least denominator of a fraction next to the value, by its continued fraction. */
function denominatorOf(value: number): number | undefined {
  const size = Math.abs(value);
  let [rest, before, denominator] = [size, 0, 1];
  while (denominator <= maxScale) {
    if (Math.abs(size * denominator - Math.round(size * denominator)) <= slack * denominator) return denominator;
    rest = 1 / (rest - Math.floor(rest));
    if (!Number.isFinite(rest)) return undefined;
    [before, denominator] = [denominator, Math.floor(rest) * denominator + before];
  }
  return undefined;
}
