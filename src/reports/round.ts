/** Round to a number of decimals, as reports print shares and spreads. */
export const round = (value: number, digits = 4): number => Number(value.toFixed(digits));

/** Give a share rounded to 4 digits; null when there is nothing to count. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : round(part / whole));
