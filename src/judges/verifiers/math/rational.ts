import { type Rational, Refused } from './node.ts';

const maxBits = 65_536;
const maxExponent = 5_000;

/** Steps of big-number work that one comparison may take, so that the answer comes in time whatever is written. */
export class Budget {
  #left: number;
  constructor(steps = 2_000_000) {
    this.#left = steps;
  }
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Refused('too much to work out');
  }
}

export const ratio = (n: bigint, d: bigint): Rational => {
  if (d === 0n) throw new Refused('division by zero');
  const common = gcd(n < 0n ? -n : n, d < 0n ? -d : d) || 1n;
  const sign = d < 0n ? -1n : 1n;
  return { n: (sign * n) / common, d: (sign * d) / common };
};

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The exact value of a decimal as it is written. */
export function decimalValue(text: string): { readonly value: Rational; readonly isDecimal: boolean } {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > maxExponent) throw new Refused('exponent out of range');
  const n = BigInt(`${whole}${fraction}` || '0');
  const value = power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : ratio(n, 10n ** BigInt(-power));
  return { value, isDecimal: digits.includes('.') || text.toLowerCase().includes('e') };
}

/** The value of digits in a base from 2 to 10. */
export function digitsInBase(digits: string, base: Rational): Rational {
  const size = Number(base.n);
  if (base.d !== 1n || size < 2 || size > 10 || [...digits].some((digit) => Number(digit) >= size))
    throw new Refused('no digits of that base');
  return { n: [...digits].reduce((sum, digit) => sum * base.n + BigInt(digit), 0n), d: 1n };
}

export const bits = (n: bigint): number => (n < 0n ? -n : n).toString(16).length * 4;
const size = ({ n, d }: Rational) => (bits(n) + bits(d)) / 64;

export function add(a: Rational, b: Rational, budget: Budget): Rational {
  budget.spend((size(a) + 1) * (size(b) + 1));
  return checked(ratio(a.n * b.d + b.n * a.d, a.d * b.d));
}
export function multiply(a: Rational, b: Rational, budget: Budget): Rational {
  budget.spend((size(a) + 1) * (size(b) + 1));
  return checked(ratio(a.n * b.n, a.d * b.d));
}
export const inverse = (a: Rational): Rational => ratio(a.d, a.n);

/** A whole power; refused when it would take more than 65,536 bits. */
export function power(base: Rational, exponent: bigint, budget: Budget): Rational {
  const times = exponent < 0n ? -exponent : exponent;
  const isUnit = base.d === 1n && (base.n === 0n || base.n === 1n || base.n === -1n);
  if (isUnit) {
    if (base.n === 0n && exponent <= 0n) throw new Refused('zero to a power that is not positive');
    return { n: base.n === -1n && times % 2n === 0n ? 1n : base.n, d: 1n };
  }
  if (times > BigInt(maxBits) || Math.max(bits(base.n), bits(base.d)) * Number(times) > maxBits)
    throw new Refused('the power is too large');
  budget.spend((size(base) * Number(times)) ** 2 / 4 + 1);
  const raised = { n: base.n ** times, d: base.d ** times };
  return exponent < 0n ? inverse(raised) : raised;
}

function checked(value: Rational): Rational {
  if (bits(value.n) > maxBits * 4 || bits(value.d) > maxBits * 4) throw new Refused('the number is too large');
  return value;
}

const maxFactorial = 10_000;
export function factorial(n: bigint, budget: Budget): bigint {
  if (n < 0n || n > BigInt(maxFactorial)) throw new Refused('no factorial of that');
  const steps = Number(n);
  budget.spend((steps * steps) / 200 + 1);
  return product(1n, n);
}
/** n over k for whole n from 0 to 10,000. */
export function binomial(n: bigint, k: bigint, budget: Budget): bigint {
  if (n < 0n || n > BigInt(maxFactorial)) throw new Refused('no binomial of that');
  if (k < 0n || k > n) return 0n;
  const few = k < n - k ? k : n - k;
  budget.spend(Number(few) ** 2 / 100 + 1);
  return product(n - few + 1n, n) / product(1n, few);
}
/** In halves, so that the factors stay of one size. */
function product(from: bigint, to: bigint): bigint {
  if (from > to) return 1n;
  if (to - from < 8n) {
    let out = from;
    for (let n = from + 1n; n <= to; n++) out *= n;
    return out;
  }
  const middle = (from + to) / 2n;
  return product(from, middle) * product(middle + 1n, to);
}

/** Nearest double, also when numerator and denominator overflow one. */
export function toNumber({ n, d }: Rational): number {
  const [top, bottom] = [Number(n), Number(d)];
  if (Number.isFinite(top) && Number.isFinite(bottom)) return top / bottom;
  const shift = BigInt(Math.max(0, Math.max(bits(n), bits(d)) - 900));
  return Number(n >> shift) / Number(d >> shift);
}

/** Whether its decimals end. */
export function terminates({ d }: Rational): boolean {
  let rest = d;
  while (rest % 2n === 0n) rest /= 2n;
  while (rest % 5n === 0n) rest /= 5n;
  return rest === 1n;
}
