/** A figure to four digits, as reports write it. */
export const four = (value: number): number => Number(value.toFixed(4));
/** A share to four digits; null of nothing. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : four(part / whole));
