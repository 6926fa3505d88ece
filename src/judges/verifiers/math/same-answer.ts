import { type Answer, difference, type Expr, has, isVariable, Refused } from './node.ts';
import type { Budget } from './rational.ts';
import { sameExpression, sameUpToFactor } from './same-expression.ts';

/**
 * Whether two answers are the same: expressions by value, equations and inequalities by what they say, tuples and intervals
 * in order with their brackets, sets, lists and unions in any order, matrices cell by cell. Different kinds never are.
 */
export function sameAnswer(a: Answer, b: Answer, budget: Budget): boolean {
  budget.spend(10);
  if (a.kind === 'relation' || b.kind === 'relation') return sameRelation(a, b, budget);
  if (a.kind === 'expr' && b.kind === 'expr') return samePercent(a.expr, b.expr, budget);
  if (a.kind === 'tuple' && b.kind === 'tuple') {
    const isShape = a.open === b.open && a.close === b.close && a.items.length === b.items.length;
    return isShape && inOrder(a.items, b.items, budget);
  }
  if (a.kind === 'set' && b.kind === 'set') return anyOrder(a.items, b.items, budget);
  if (a.kind === 'union' && b.kind === 'union') return anyOrder(a.parts, b.parts, budget);
  if (a.kind === 'matrix' && b.kind === 'matrix') {
    const { rows } = b;
    return a.rows.length === rows.length && a.rows.every((row, n) => inOrder(row, rows[n] ?? [], budget));
  }
  return false;
}

const inOrder = (a: readonly Answer[], b: readonly Answer[], budget: Budget) =>
  a.length === b.length && a.every((item, n) => same(item, b[n], budget));

/** Each of one is one of the other, both ways; bounded by the budget. */
const anyOrder = (a: readonly Answer[], b: readonly Answer[], budget: Budget) =>
  a.every((item) => b.some((other) => same(item, other, budget))) &&
  b.every((item) => a.some((other) => same(item, other, budget)));

const same = (a: Answer, b: Answer | undefined, budget: Budget) => b !== undefined && sameAnswer(a, b, budget);

/** 50 % is 1/2, and also 50 where the other side has no percent sign. */
function samePercent(a: Expr, b: Expr, budget: Budget): boolean {
  if (sameExpression(a, b, budget)) return true;
  const [inA, inB] = [has(a, isPercent), has(b, isPercent)];
  if (inA === inB) return false;
  return a.kind === 'percent' || b.kind === 'percent'
    ? sameExpression(a.kind === 'percent' ? a.of : a, b.kind === 'percent' ? b.of : b, budget)
    : false;
}
const isPercent = (expr: Expr) => expr.kind === 'percent';

function sameRelation(a: Answer, b: Answer, budget: Budget): boolean {
  if (a.kind !== 'relation') return b.kind === 'relation' && sameRelation(b, a, budget);
  if (b.kind === 'relation') {
    if (a.relation !== b.relation) return false;
    if (a.relation === '=') return sameEquation(a, b, budget);
    const isPositive = a.relation !== '≠';
    return sameUpToFactor(difference(a.left, a.right), difference(b.left, b.right), isPositive, budget);
  }
  // a bare value against `x = value`
  const value = a.relation === '=' ? sideBeside(a) : undefined;
  return value !== undefined && b.kind === 'expr' && samePercent(value, b.expr, budget);
}

type Equation = Extract<Answer, { readonly kind: 'relation' }>;

/** What a lone variable is said to be, or what a calculation comes to: 20 + 22 = 42. */
function sideBeside({ left, right }: Equation): Expr | undefined {
  if (loneName(left) !== undefined) return right;
  if (loneName(right) !== undefined) return left;
  return has(left, isVariable) || has(right, isVariable) ? undefined : right;
}
const nameOf = ({ left, right }: Equation) => loneName(left) ?? loneName(right);

function sameEquation(a: Equation, b: Equation, budget: Budget): boolean {
  const [x, y] = [sideBeside(a), sideBeside(b)];
  if (x && y && nameOf(a) !== undefined && nameOf(a) === nameOf(b) && sameExpression(x, y, budget)) return true;
  const [one, other] = [difference(a.left, a.right), difference(b.left, b.right)];
  if (!has(one, isVariable) || !has(other, isVariable)) throw new Refused('an equation without variables');
  return sameUpToFactor(one, other, false, budget);
}

/** The variable that a side consists of, also as `f(x)`; undefined when it is more. */
function loneName(side: Expr): string | undefined {
  if (isVariable(side)) return side.kind === 'name' ? side.name : undefined;
  if (side.kind !== 'product' || side.factors.length !== 2) return undefined;
  const [name, of] = side.factors;
  const isFunction = name?.kind === 'name' && /^[fghFGHPpy]$/.test(name.name) && of && isVariable(of);
  return isFunction && of.kind === 'name' ? `${name.name}(${of.name})` : undefined;
}
