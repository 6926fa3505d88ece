/** A ratio of integers in lowest terms; `d` is positive. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** An expression. */
export type Expr =
  | { readonly kind: 'num'; readonly value: Rational; readonly isDecimal: boolean }
  /** `pi`, `e`, `i`, `infinity`, or a variable by name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sum'; readonly terms: readonly Expr[] }
  | { readonly kind: 'product'; readonly factors: readonly Expr[] }
  | { readonly kind: 'quotient'; readonly over: Expr; readonly under: Expr }
  | { readonly kind: 'power'; readonly base: Expr; readonly exponent: Expr }
  /** A function by its name; `root` and `log` have a second argument, the degree and the base. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expr[] }
  | { readonly kind: 'percent'; readonly of: Expr }
  | { readonly kind: 'degrees'; readonly of: Expr };

export type Relation = '=' | '<' | '≤' | '≠';
/** An answer: an expression, or what is made of several. */
export type Answer =
  | { readonly kind: 'expr'; readonly expr: Expr }
  /** `>` and `≥` are written the other way round. */
  | { readonly kind: 'relation'; readonly relation: Relation; readonly left: Expr; readonly right: Expr }
  /** `(a, b)`, `[a, b)`, `a : b`: ordered; the brackets count, as they may be ends of an interval. */
  | { readonly kind: 'tuple'; readonly open: string; readonly close: string; readonly items: readonly Answer[] }
  /** `{a, b}`, a bare list, both signs of ±: unordered, without multiplicity. */
  | { readonly kind: 'set'; readonly items: readonly Answer[] }
  | { readonly kind: 'union'; readonly parts: readonly Answer[] }
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly Answer[])[] };

/** The text is no mathematics that we read, or more of it than is worked out. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export const integer = (n: number | bigint): Expr => ({
  kind: 'num',
  value: { n: BigInt(n), d: 1n },
  isDecimal: false,
});
export const negated = (expr: Expr): Expr => ({ kind: 'product', factors: [integer(-1), expr] });
export const difference = (left: Expr, right: Expr): Expr => ({ kind: 'sum', terms: [left, negated(right)] });

/** The expressions directly inside one. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'num':
    case 'name':
      return [];
    case 'sum':
      return expr.terms;
    case 'product':
      return expr.factors;
    case 'quotient':
      return [expr.over, expr.under];
    case 'power':
      return [expr.base, expr.exponent];
    case 'call':
      return expr.args;
    case 'percent':
    case 'degrees':
      return [expr.of];
  }
}

/** Whether an expression, or one inside it, is of a sort. */
export const has = (expr: Expr, is: (one: Expr) => boolean): boolean =>
  is(expr) || childrenOf(expr).some((child) => has(child, is));

export const constants: ReadonlySet<string> = new Set(['pi', 'e', 'i', 'infinity']);
export const isVariable = (expr: Expr): boolean => expr.kind === 'name' && !constants.has(expr.name);
