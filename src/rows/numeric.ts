const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const named: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, infinity: Infinity };

/**
 * Read a number, or text that spells one (`'0.5'`, `' 1 '`, `'nan'`). Undefined for anything else: booleans, null, empty
 * text, hexadecimal. Not always finite.
 */
export function numericOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (decimal.test(text)) return Number(text);
  const sign = text.startsWith('-') ? -1 : 1;
  const size = named[text.replace(/^[+-]/, '').toLowerCase()];
  return size === undefined ? undefined : sign * size;
}

/** Read a finite number: a number, text that spells one, true and false as 1 and 0. Undefined for anything else. */
export function finiteNumber(value: unknown): number | undefined {
  const number = typeof value === 'boolean' ? Number(value) : numericOf(value);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}
