import type { Expr } from './node.ts';
import { Refused } from './node.ts';
import { type Budget, toNumber } from './rational.ts';

/** A complex number in doubles. */
export type Complex = readonly [re: number, im: number];
/** Values of the variables at one point. */
export type RealPoint = (name: string) => number;

const not: Complex = [Number.NaN, Number.NaN];
const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
export const size = ([a, b]: Complex): number => Math.hypot(a, b);
const real = (value: number): Complex => [value, 0];

function over([a, b]: Complex, [c, d]: Complex): Complex {
  const norm = c * c + d * d;
  return norm === 0 ? not : [(a * c + b * d) / norm, (b * c - a * d) / norm];
}
const log = (z: Complex): Complex => (size(z) === 0 ? not : [Math.log(size(z)), Math.atan2(z[1], z[0])]);
function exp([a, b]: Complex): Complex {
  const scale = Math.exp(a);
  return b === 0 ? real(scale) : [scale * Math.cos(b), scale * Math.sin(b)];
}

/**
 * Work out an expression in doubles. Roots and logarithms of negative numbers are NaN unless `i` is in play: answers are
 * about real numbers. NaN where there is no value.
 */
export function doubleValue(expr: Expr, point: RealPoint, isComplex: boolean, budget: Budget): Complex {
  budget.spend(2);
  const value = (one: Expr): Complex => doubleValue(one, point, isComplex, budget);
  switch (expr.kind) {
    case 'num':
      return real(toNumber(expr.value));
    case 'name':
      return named(expr.name, point);
    case 'sum':
      return expr.terms.map(value).reduce(plus);
    case 'product':
      return expr.factors.map(value).reduce(times);
    case 'quotient':
      return over(value(expr.over), value(expr.under));
    case 'percent':
      return over(value(expr.of), [100, 0]);
    case 'degrees':
      return value(expr.of);
    case 'power':
      return raised(value(expr.base), value(expr.exponent), oddRoot(expr.exponent), isComplex);
    case 'call':
      return called(expr.name, expr.args.map(value), isComplex);
  }
}

function named(name: string, point: RealPoint): Complex {
  if (name === 'pi') return real(Math.PI);
  if (name === 'e') return real(Math.E);
  if (name === 'i') return [0, 1];
  return name === 'infinity' ? not : real(point(name));
}

/** x^{p/q} with q odd has a value for negative x. */
function oddRoot(exponent: Expr): boolean {
  if (exponent.kind !== 'quotient') return false;
  const { under } = exponent;
  return under.kind === 'num' && under.value.d === 1n && under.value.n % 2n !== 0n;
}

function raised(base: Complex, exponent: Complex, isOddRoot: boolean, isComplex: boolean): Complex {
  const [x, y] = [base[0], exponent[0]];
  if (base[1] !== 0 || exponent[1] !== 0) return size(base) === 0 ? not : exp(times(exponent, log(base)));
  if (x >= 0 || Number.isInteger(y)) return real(x ** y);
  if (isOddRoot) {
    const whole = Math.round(y * 1e6) / 1e6; // the sign of (-1)^{p/q} is that of p
    return real(oddSign(whole) * (-x) ** y);
  }
  return isComplex ? exp(times(exponent, log(base))) : not;
}
/** With an odd denominator, numerator odd or even: found among small denominators. */
function oddSign(y: number): number {
  for (let d = 1; d < 100; d += 2)
    if (Math.abs(y * d - Math.round(y * d)) < 1e-4) return Math.round(y * d) % 2 === 0 ? 1 : -1;
  return Number.NaN;
}

const realFunctions: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  cot: (x) => 1 / Math.tan(x),
  sec: (x) => 1 / Math.cos(x),
  csc: (x) => 1 / Math.sin(x),
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
};

function called(name: string, args: readonly Complex[], isComplex: boolean): Complex {
  const [z = not, second = not] = args;
  if (name === 'abs') return real(size(z));
  if (name === 'root') return rooted(z, second, isComplex);
  if (name === 'log') {
    if (!isComplex && (z[1] !== 0 || z[0] <= 0)) return not;
    return over(log(z), log(second));
  }
  const apply = realFunctions[name];
  if (!apply) throw new Refused(`no value of ${name}`);
  return z[1] === 0 ? real(apply(z[0])) : not;
}

function rooted(z: Complex, degree: Complex, isComplex: boolean): Complex {
  const n = degree[0];
  if (z[1] === 0 && z[0] < 0 && n % 2 === 1) return real(-((-z[0]) ** (1 / n)));
  if (z[1] === 0 && z[0] >= 0) return real(n === 2 ? Math.sqrt(z[0]) : z[0] ** (1 / n));
  return isComplex ? exp(over(log(z), degree)) : not;
}
