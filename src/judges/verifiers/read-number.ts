/**
 * One number of a text: a LaTeX fraction, or digits with thousands commas, decimals, an exponent or a power of ten, and a
 * denominator. Every part is bounded by what comes after it, so a search is linear.
 */
const number =
  /(?<sign>(?<!\d)[-+])?\s?(?:\\[dt]?frac\s*(?:\{(?<over>[^{}]{1,400})\}\s*\{(?<under>[^{}]{1,400})\}|(?<overDigit>\d)\s*(?<underDigit>\d))|(?<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE](?<exponent>[-+]?\d+)|\s*(?:\\times|\\cdot|×|\*)\s*10\s*\^\s*\{?(?<power>[-+]?\d+)\}?)?(?:\s*\/\s*(?<denominator>\d+(?:\.\d+)?))?)/g;

/**
 * Read the last number of a text. U+2212 is a minus; a hyphen right after a digit is no sign; currency and percent signs
 * are ignored. Undefined without one; not always finite.
 *
 * @source house rule
 */
export function lastNumber(text: string): number | undefined {
  const plain = text
    .replaceAll('−', '-')
    .replaceAll('{,}', ',')
    .replace(/[$€£¥]/g, '');
  let last: number | undefined;
  for (const { groups = {} } of plain.matchAll(number)) last = numberOf(groups) ?? last;
  return last;
}

function numberOf(part: Readonly<Record<string, string | undefined>>): number | undefined {
  const sign = part['sign'] === '-' ? -1 : 1;
  const over = part['over'] ?? part['overDigit'];
  const under = part['under'] ?? part['underDigit'];
  if (over !== undefined && under !== undefined) {
    const [top, bottom] = [lastNumber(over), lastNumber(under)];
    return top === undefined || bottom === undefined ? undefined : (sign * top) / bottom;
  }
  const exponent = part['exponent'] ?? part['power'];
  const digits = (part['digits'] ?? '').replaceAll(',', '');
  const value = sign * Number(exponent === undefined ? digits : `${digits}e${exponent}`);
  return part['denominator'] === undefined ? value : value / Number(part['denominator']);
}
