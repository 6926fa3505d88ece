import { type Answer, difference, type Expr, has, integer, negated } from './node.ts';

const isSign = (expr: Expr) => expr.kind === 'call' && (expr.name === '±' || expr.name === '∓');

/** An expression with ± is two answers. */
export function plusMinus(expr: Expr): Answer {
  if (!has(expr, isSign)) return { kind: 'expr', expr };
  const items = [1, -1].map((sign): Answer => ({ kind: 'expr', expr: signed(expr, sign) }));
  return { kind: 'set', items };
}
/** A relation with ± is two. */
export function plusMinusOf(answer: Answer): Answer {
  if (answer.kind !== 'relation' || !has(difference(answer.left, answer.right), isSign)) return answer;
  const items = [1, -1].map((sign): Answer => {
    return { ...answer, left: signed(answer.left, sign), right: signed(answer.right, sign) };
  });
  return { kind: 'set', items };
}

function signed(expr: Expr, sign: number): Expr {
  const go = (one: Expr) => signed(one, sign);
  switch (expr.kind) {
    case 'num':
    case 'name':
      return expr;
    case 'sum':
      return { ...expr, terms: expr.terms.map(go) };
    case 'product':
      return { ...expr, factors: expr.factors.map(go) };
    case 'quotient':
      return { ...expr, over: go(expr.over), under: go(expr.under) };
    case 'power':
      return { ...expr, base: go(expr.base), exponent: go(expr.exponent) };
    case 'percent':
    case 'degrees':
      return { ...expr, of: go(expr.of) };
    case 'call': {
      const [first = integer(0)] = expr.args;
      if (!isSign(expr)) return { ...expr, args: expr.args.map(go) };
      return (expr.name === '±') === sign > 0 ? go(first) : negated(go(first));
    }
  }
}
