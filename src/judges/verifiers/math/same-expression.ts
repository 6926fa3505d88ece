import { createHash } from 'node:crypto';
import { type Complex, doubleValue, size } from './complex.ts';
import { exactValue } from './exact.ts';
import { fieldValue, isZero, minusIn, timesIn } from './field.ts';
import { type Expr, has, isVariable, type Rational, Refused } from './node.ts';
import { type Budget, terminates, toNumber } from './rational.ts';

const decimalTolerance = 1e-6; // a decimal against a value whose digits do not end
const doubleTolerance = 1e-11;
const points = 12;
const minPoints = 4;

/** Whether two expressions have the same value, or are the same function. Throws Refused when that cannot be told. */
export function sameExpression(a: Expr, b: Expr, budget: Budget): boolean {
  const [inA, inB] = [infinityOf(a), infinityOf(b)];
  if (inA !== undefined || inB !== undefined) return inA === inB;
  if (has(a, isVariable) || has(b, isVariable)) return sameFunction(a, b, budget);
  const [x, y] = [exactValue(a, budget), exactValue(b, budget)];
  return x && y ? sameRational(x, y, hasDecimal(a), hasDecimal(b)) : sameConstant(a, b, budget);
}

/** 1, -1 or undefined: infinity is no number to calculate with. */
function infinityOf(expr: Expr): number | undefined {
  if (expr.kind === 'name') return expr.name === 'infinity' ? 1 : undefined;
  if (expr.kind !== 'product' || expr.factors.length !== 2) return undefined;
  const [sign, rest] = expr.factors;
  if (!sign || !rest || sign.kind !== 'num') return undefined;
  const inside = infinityOf(rest);
  return inside === undefined ? undefined : sign.value.n < 0n ? -inside : inside;
}

/** Exactly; a decimal may stand for a fraction whose digits do not end. */
function sameRational(x: Rational, y: Rational, isDecimalX: boolean, isDecimalY: boolean): boolean {
  if (x.n === y.n && x.d === y.d) return true;
  const isCut = (isDecimalX && !terminates(y)) || (isDecimalY && !terminates(x));
  return isCut && near(toNumber(x), toNumber(y), decimalTolerance);
}

/** With roots, pi, e, i: in doubles. */
function sameConstant(a: Expr, b: Expr, budget: Budget): boolean {
  const isComplex = has(a, isUnitI) || has(b, isUnitI);
  const none = () => Number.NaN;
  const [x, y] = [doubleValue(a, none, isComplex, budget), doubleValue(b, none, isComplex, budget)];
  if (!isFinite2(x) || !isFinite2(y)) throw new Refused('no value');
  return nearComplex(x, y, hasDecimal(a) !== hasDecimal(b) ? decimalTolerance : 1e-12);
}

/** The same at random points: exactly where both are rational expressions, else in doubles on both sides of zero. */
function sameFunction(a: Expr, b: Expr, budget: Budget): boolean {
  const pairs = fieldPairs(a, b, budget);
  if (pairs) return pairs.every(([x, y]) => isZero(minusIn(x, y)));
  return doublePairs(a, b, budget).every(([x, y]) => nearComplex(x, y, doubleTolerance));
}

/**
 * Whether two differences are the same up to a constant factor that is not zero, so that both vanish at the same places.
 * `isPositive` asks for a factor above zero, as between two sides of an inequality.
 */
export function sameUpToFactor(a: Expr, b: Expr, isPositive: boolean, budget: Budget): boolean {
  const pairs = fieldPairs(a, b, budget);
  if (pairs) {
    const [first] = pairs;
    if (!first || pairs.some(([x, y]) => isZero(x) || isZero(y))) return false;
    const isConstant = pairs.every(([x, y]) => isZero(minusIn(timesIn(x, first[1]), timesIn(y, first[0]))));
    if (!isConstant || !isPositive) return isConstant;
  }
  const values = doublePairs(a, b, budget);
  const [one] = values;
  if (!one || values.some(([x, y]) => size(x) === 0 || size(y) === 0)) return false;
  const factor = one[0][0] / one[1][0];
  const isConstant = values.every(([x, y]) => near(x[0], factor * y[0], 1e-8) && x[1] === 0 && y[1] === 0);
  return isConstant && (!isPositive || factor > 0);
}

/** Both at the same points of the field; undefined when one of them is no rational expression. */
function fieldPairs(a: Expr, b: Expr, budget: Budget): (readonly [bigint, bigint])[] | undefined {
  const pairs: (readonly [bigint, bigint])[] = [];
  budget.spend(600); // the points themselves
  for (let round = 0; pairs.length < 3 && round < 8; round++) {
    const point = drawn((name) => BigInt(`0x${hash(`field ${round} ${name}`)}`));
    const [x, y] = [fieldValue(a, point, budget), fieldValue(b, point, budget)];
    if (x !== undefined && y !== undefined) pairs.push([x, y]);
    else if (round === 1 && pairs.length === 0) return undefined;
  }
  return pairs.length === 3 ? pairs : undefined;
}

/** Both in doubles at points where both have a value: half of them above zero, half below. */
function doublePairs(a: Expr, b: Expr, budget: Budget): (readonly [Complex, Complex])[] {
  const isComplex = has(a, isUnitI) || has(b, isUnitI);
  const pairs: (readonly [Complex, Complex])[] = [];
  budget.spend(2400);
  for (let round = 0; round < points * 2; round++) {
    const sign = round < points ? 1 : -1;
    const at = drawn(
      (name) => sign * (0.2 + 2.8 * (Number.parseInt(hash(`real ${round} ${name}`).slice(0, 12), 16) / 2 ** 48)),
    );
    const pair = [doubleValue(a, at, isComplex, budget), doubleValue(b, at, isComplex, budget)] as const;
    if (isFinite2(pair[0]) && isFinite2(pair[1])) pairs.push(pair);
  }
  if (pairs.length < minPoints) throw new Refused('too few points where both have a value');
  return pairs;
}

/** One draw for a name. */
function drawn<T>(draw: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const value = known.get(name) ?? draw(name);
    known.set(name, value);
    return value;
  };
}
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hasDecimal = (expr: Expr) => has(expr, (one) => one.kind === 'num' && one.isDecimal);
const isUnitI = (expr: Expr) => expr.kind === 'name' && expr.name === 'i';
const isFinite2 = ([a, b]: Complex) => Number.isFinite(a) && Number.isFinite(b);

/** Beside a zero there is no relative difference: sin(pi) in doubles is 1e-16. */
function nearComplex(x: Complex, y: Complex, tolerance: number): boolean {
  const apart = size([x[0] - y[0], x[1] - y[1]]);
  const scale = Math.max(size(x), size(y));
  return size(x) === 0 || size(y) === 0 ? apart <= 1e-11 : apart <= tolerance * scale;
}
const near = (x: number, y: number, tolerance: number) => nearComplex([x, 0], [y, 0], tolerance);
