import type { Expr } from './node.ts';
import { type Budget, factorial } from './rational.ts';

/** 2^255 - 19: a prime with a square root of -1, so that i is a number of the field too. */
const prime = (1n << 255n) - 19n;
const rootOfMinusOne = powerIn(2n, (prime - 1n) / 4n);
const maxDegree = 200n;

/** Values of the names at one point. Same name, same value; the values are spread over the whole field. */
export type Point = (name: string) => bigint;

/**
 * Work out a rational expression at a point of a prime field: two that agree at random points are the same expression, the
 * chance of an error being degree / 2^255. Undefined when it is no rational expression, or divides by zero there. pi and e
 * are names like others: no rational relation between them and the rest is known.
 *
 * @source Schwartz 1980, Zippel 1979
 */
export function fieldValue(expr: Expr, point: Point, budget: Budget): bigint | undefined {
  budget.spend(20);
  const value = (one: Expr) => fieldValue(one, point, budget);
  switch (expr.kind) {
    case 'num':
      return divide(mod(expr.value.n), mod(expr.value.d));
    case 'name':
      if (expr.name === 'infinity') return undefined;
      return expr.name === 'i' ? rootOfMinusOne : mod(point(expr.name));
    case 'sum':
      return join(expr.terms.map(value), (a, b) => mod(a + b));
    case 'product':
      return join(expr.factors.map(value), (a, b) => mod(a * b));
    case 'quotient':
      budget.spend(400);
      return divide(value(expr.over), value(expr.under));
    case 'percent':
      return divide(value(expr.of), 100n);
    case 'degrees':
      return value(expr.of);
    case 'power': {
      const [base, exponent] = [value(expr.base), wholeOf(expr.exponent)];
      if (base === undefined || exponent === undefined) return undefined;
      budget.spend(400);
      if (exponent >= 0n) return powerIn(base, exponent);
      return divide(1n, powerIn(base, -exponent));
    }
    case 'call': {
      const n = expr.name === 'factorial' ? wholeOf(expr.args[0]) : undefined;
      return n === undefined ? undefined : mod(factorial(n, budget));
    }
  }
}

/** A whole exponent as it is written, up to the degree that is worked out. */
function wholeOf(expr: Expr | undefined): bigint | undefined {
  if (!expr) return undefined;
  if (expr.kind === 'num') return expr.value.d === 1n && expr.value.n <= maxDegree ? expr.value.n : undefined;
  if (expr.kind !== 'product' || expr.factors.length !== 2) return undefined;
  const [sign, size] = expr.factors.map(wholeOf);
  return sign === -1n && size !== undefined ? -size : undefined;
}

const mod = (n: bigint): bigint => ((n % prime) + prime) % prime;

function powerIn(base: bigint, exponent: bigint): bigint {
  let [out, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) out = (out * square) % prime;
    square = (square * square) % prime;
  }
  return out;
}

function divide(over: bigint | undefined, under: bigint | undefined): bigint | undefined {
  if (over === undefined || under === undefined || mod(under) === 0n) return undefined;
  return (over * powerIn(mod(under), prime - 2n)) % prime;
}

function join(values: readonly (bigint | undefined)[], by: (a: bigint, b: bigint) => bigint): bigint | undefined {
  return values.reduce((a, b) => (a === undefined || b === undefined ? undefined : by(a, b)));
}

export const isZero = (value: bigint): boolean => value === 0n;
export const timesIn = (a: bigint, b: bigint): bigint => mod(a * b);
export const minusIn = (a: bigint, b: bigint): bigint => mod(a - b);
