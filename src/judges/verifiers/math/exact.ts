import type { Expr, Rational } from './node.ts';
import { Refused } from './node.ts';
import { add, type Budget, binomial, bits, factorial, inverse, multiply, power, ratio } from './rational.ts';

const zero: Rational = { n: 0n, d: 1n };
const one: Rational = { n: 1n, d: 1n };

/**
 * Work out an expression as a ratio of integers; undefined when it is none that we can tell (roots, pi, variables). Throws
 * Refused when it would take too much, or has no value.
 */
export function exactValue(expr: Expr, budget: Budget): Rational | undefined {
  budget.spend(1);
  switch (expr.kind) {
    case 'num':
      return expr.value;
    case 'name':
      return undefined;
    case 'sum':
      return fold(expr.terms, zero, add, budget);
    case 'product':
      return fold(expr.factors, one, multiply, budget);
    case 'quotient': {
      const [over, under] = [exactValue(expr.over, budget), exactValue(expr.under, budget)];
      if (under?.n === 0n) throw new Refused('division by zero');
      return over && under && multiply(over, inverse(under), budget);
    }
    case 'power':
      return exactPower(expr.base, expr.exponent, budget);
    case 'percent': {
      const value = exactValue(expr.of, budget);
      return value && multiply(value, { n: 1n, d: 100n }, budget);
    }
    case 'degrees':
      return exactValue(expr.of, budget);
    case 'call':
      return exactCall(expr.name, expr.args, budget);
  }
}

function fold(
  parts: readonly Expr[],
  start: Rational,
  join: (a: Rational, b: Rational, budget: Budget) => Rational,
  budget: Budget,
): Rational | undefined {
  let out: Rational | undefined = start;
  for (const part of parts) {
    const value = exactValue(part, budget);
    out = out && value && join(out, value, budget);
  }
  return out;
}

function exactPower(base: Expr, exponent: Expr, budget: Budget): Rational | undefined {
  const [under, times] = [exactValue(base, budget), exactValue(exponent, budget)];
  if (!under || !times) return undefined;
  if (times.d === 1n) {
    if (under.n === 0n && times.n <= 0n) throw new Refused('zero to a power that is not positive');
    return power(under, times.n, budget);
  }
  if (times.d > 64n) return undefined;
  budget.spend(maxRootBits);
  const root = exactRoot(under, times.d);
  return root && power(root, times.n, budget);
}

const maxRootBits = 4096; // beyond it in doubles: the search takes a step for each bit

/** The root when it is rational; of a negative number when the degree is odd. */
function exactRoot({ n, d }: Rational, degree: bigint): Rational | undefined {
  if ((n < 0n && degree % 2n === 0n) || bits(n) + bits(d) > maxRootBits) return undefined;
  const [top, bottom] = [wholeRoot(n < 0n ? -n : n, degree), wholeRoot(d, degree)];
  if (top === undefined || bottom === undefined) return undefined;
  return ratio(n < 0n ? -top : top, bottom);
}

function wholeRoot(value: bigint, degree: bigint): bigint | undefined {
  if (value < 2n) return value;
  let [low, high] = [1n, 1n << (BigInt(value.toString(2).length) / degree + 1n)];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** degree <= value) low = middle;
    else high = middle - 1n;
  }
  return low ** degree === value ? low : undefined;
}

function exactCall(name: string, args: readonly Expr[], budget: Budget): Rational | undefined {
  const [first, second] = args.map((arg) => exactValue(arg, budget));
  if (!first) return undefined;
  const whole = first.d === 1n;
  switch (name) {
    case 'abs':
      return { n: first.n < 0n ? -first.n : first.n, d: first.d };
    case 'floor':
      return { n: floor(first), d: 1n };
    case 'ceil':
      return { n: -floor({ n: -first.n, d: first.d }), d: 1n };
    case 'factorial':
      if (!whole) throw new Refused('the factorial of a fraction');
      return { n: factorial(first.n, budget), d: 1n };
    case 'binomial':
      if (!second) return undefined;
      if (!whole || second.d !== 1n) throw new Refused('a binomial of fractions');
      return { n: binomial(first.n, second.n, budget), d: 1n };
    case 'root':
      budget.spend(maxRootBits);
      return second?.d === 1n && second.n > 0n && second.n <= 64n ? exactRoot(first, second.n) : undefined;
    default:
      return undefined;
  }
}

function floor({ n, d }: Rational): bigint {
  const cut = n / d;
  return n < 0n && cut * d !== n ? cut - 1n : cut;
}
