/** Integers stay exact at any size; what was divided or written with a point is a double. */
type Value = bigint | number;

const token = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(\*\*|\/\/|[-+*/%()]))/y;
/** Beyond these a calculation is refused: nothing an agent needs is larger, and a tower of powers never returns. */
const maxExponent = 1000;
const maxValue = 1e308;
const maxDepth = 100;

/**
 * Evaluate + - * / % ** // with unary signs and brackets over numbers: floor division and modulo, `**` to the right and
 * before a sign on its left. Whole results are integers; an integer beyond 2^53 is a bigint. Undefined when the text is
 * anything else, divides by zero, or gets too large (results below 1e308, exponents below 1000).
 *
 * @source house rule; the meaning of the operators is Python's
 */
export function evaluate(text: string): bigint | number | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const value = reader.sum();
  if (value === undefined || !reader.isAtEnd) return undefined;
  return typeof value === 'bigint' || Number.isInteger(value) ? whole(value) : value;
}

function whole(value: Value): bigint | number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return typeof value === 'bigint' ? value : number;
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  const source = text.trim();
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const match = token.exec(source);
    if (!match) return undefined;
    tokens.push(match[1] ?? (match[2] as string)); // one of the two groups matched
  }
  return tokens;
}

/** Recursive descent; undefined means "no value" and passes through every level. */
class Reader {
  #at = 0;
  #depth = 0;
  readonly #tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(): Value | undefined {
    return this.#chain(['+', '-'], () => this.#product());
  }

  #product(): Value | undefined {
    return this.#chain(['*', '/', '%', '//'], () => this.#signed());
  }

  #chain(operators: readonly string[], next: () => Value | undefined): Value | undefined {
    let left = next();
    for (let sign = this.#take(operators); sign !== undefined; sign = this.#take(operators))
      left = apply(sign, left, next());
    return left;
  }

  #signed(): Value | undefined {
    const sign = this.#take(['+', '-']);
    if (sign === undefined) return this.#power();
    const value = this.#deeper(() => this.#signed());
    return value === undefined || sign === '+' ? value : -value;
  }

  #power(): Value | undefined {
    const base = this.#atom();
    return this.#take(['**']) === undefined
      ? base
      : apply(
          '**',
          base,
          this.#deeper(() => this.#signed()),
        );
  }

  #atom(): Value | undefined {
    if (this.#take(['(']) !== undefined) {
      const inner = this.#deeper(() => this.sum());
      return this.#take([')']) === undefined ? undefined : inner;
    }
    const text = this.#tokens[this.#at];
    if (text === undefined || !/[0-9]/.test(text)) return undefined;
    this.#at++;
    return /^\d+$/.test(text) ? bounded(BigInt(text)) : bounded(Number(text));
  }

  #deeper(read: () => Value | undefined): Value | undefined {
    if (this.#depth >= maxDepth) return undefined;
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  #take(operators: readonly string[]): string | undefined {
    const next = this.#tokens[this.#at];
    if (next === undefined || !operators.includes(next)) return undefined;
    this.#at++;
    return next;
  }
}

const bounded = (value: Value): Value | undefined => (Math.abs(Number(value)) < maxValue ? value : undefined);

function apply(sign: string, left: Value | undefined, right: Value | undefined): Value | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (['/', '//', '%'].includes(sign) && Number(right) === 0) return undefined;
  if (sign === '**' && (Math.abs(Number(right)) >= maxExponent || tooLarge(left, right))) return undefined;
  const value =
    typeof left === 'bigint' && typeof right === 'bigint' && sign !== '/' && !(sign === '**' && right < 0n)
      ? integers(sign, left, right)
      : doubles(sign, Number(left), Number(right));
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : bounded(value);
}

/** Known before the power is worked out: a result of more than 1e308. */
const tooLarge = (base: Value, exponent: Value): boolean =>
  Number(exponent) * Math.log10(Math.abs(Number(base))) >= 308;

function integers(sign: string, left: bigint, right: bigint): bigint {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '**':
      return left ** right;
    case '//':
      return (left - modulo(left, right)) / right;
    default:
      return modulo(left, right);
  }
}

const modulo = (left: bigint, right: bigint): bigint => ((left % right) + right) % right;

function doubles(sign: string, left: number, right: number): number {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '**':
      return left ** right;
    case '//':
      return Math.floor(left / right);
    default:
      return left - right * Math.floor(left / right);
  }
}
