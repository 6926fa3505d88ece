/** Round to an integer, a half to the even neighbour, so that repeated cuts of a batch do not drift. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const over = value - floor;
  if (over !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
