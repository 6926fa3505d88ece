import { Cursor } from './cursor.ts';
import { type Expr, has, integer, negated, Refused } from './node.ts';
import { decimalValue, digitsInBase } from './rational.ts';
import { commandMarks, functions, greek, inverses, markOf, shortNames } from './symbols.ts';
import { knownWords, type Token } from './tokens.ts';

const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '⌊': '⌋', '⌈': '⌉' };

/** Reads sums of products of powers by recursive descent. Throws Refused. */
export class ExpressionParser extends Cursor {
  #bars = 0;

  protected sum(): Expr {
    return this.deeper(() => {
      const terms = [this.signed()];
      for (let term = this.nextTerm(); term; term = this.nextTerm()) terms.push(term);
      const [first] = terms;
      return terms.length === 1 && first ? first : { kind: 'sum', terms };
    });
  }

  /** A sign and the term after it. */
  protected nextTerm(): Expr | undefined {
    if (this.take('+')) return this.term();
    if (this.take('-')) return negated(this.term());
    if (this.take('±')) return call('±', this.term());
    return this.take('∓') ? call('∓', this.term()) : undefined;
  }

  protected signed(): Expr {
    if (this.take('-')) return negated(this.deeper(() => this.signed()));
    if (this.take('+')) return this.deeper(() => this.signed());
    if (this.take('±')) return call('±', this.term());
    if (this.take('∓')) return call('∓', this.term());
    return this.term();
  }

  protected term(): Expr {
    let left = this.factor();
    for (;;) {
      if (this.take('*')) left = times(left, this.signedFactor());
      else if (this.take('/')) left = { kind: 'quotient', over: left, under: this.signedFactor() };
      else if (this.startsFactor()) left = this.implicit(left);
      else return left;
    }
  }

  protected signedFactor(): Expr {
    return this.take('-') ? negated(this.deeper(() => this.signedFactor())) : this.factor();
  }

  /** 2x, 2\pi, (a)(b); an integer before a proper fraction is a mixed number; two numbers side by side are neither. */
  protected implicit(left: Expr): Expr {
    const isPlain = left.kind === 'num' && left.value.d === 1n && !left.isDecimal;
    const token = this.tokens[this.at];
    if (token?.kind === 'number') {
      if (!isPlain) throw new Refused('two numbers side by side');
      const over = this.factor();
      this.need('/');
      return mixed(left, { kind: 'quotient', over, under: this.factor() });
    }
    const isFraction = token?.text === 'frac';
    const right = this.factor();
    return isPlain && isFraction && isProper(right) ? mixed(left, right) : times(left, right);
  }

  protected startsFactor(): boolean {
    const token = this.tokens[this.at];
    if (!token) return false;
    const mark = this.peek() ?? '';
    if (token.kind === 'number' || token.kind === 'name') return true;
    if (mark === '|') return this.#bars === 0;
    if (['(', '[', '{', '√', '⌊', '⌈'].includes(mark)) return true;
    return (
      token.kind === 'command' &&
      !Object.hasOwn(commandMarks, token.text) &&
      token.text !== 'end' &&
      token.text !== '\\'
    );
  }

  protected factor(): Expr {
    return this.deeper(() => {
      let base = this.postfix(this.atom());
      if (this.take('^')) {
        if (this.takeDegree()) base = { kind: 'degrees', of: base };
        else base = this.postfix({ kind: 'power', base, exponent: this.exponent() });
      }
      return base;
    });
  }

  /** `30^\circ` and `30^{\circ}`. */
  protected takeDegree(): boolean {
    if (this.take('°')) return true;
    const [open, mark, close] = this.tokens.slice(this.at, this.at + 3).map(markOf);
    const isDegree = open === '{' && mark === '°' && close === '}';
    if (isDegree) this.at += 3;
    return isDegree;
  }

  protected exponent(): Expr {
    if (this.peek() !== '{') return this.take('-') ? negated(this.factor()) : this.factor();
    this.at++;
    const inside = this.sum();
    this.need('}');
    // a^{b}^c: the power goes on to the right
    return this.take('^') ? { kind: 'power', base: inside, exponent: this.exponent() } : inside;
  }

  protected postfix(given: Expr): Expr {
    let base = given;
    for (;;) {
      if (this.take('!')) base = call('factorial', base);
      else if (this.take('%')) base = { kind: 'percent', of: base };
      else if (this.take('°')) base = { kind: 'degrees', of: base };
      else return base;
    }
  }

  protected atom(): Expr {
    const token = this.next();
    const mark = markOf(token);
    if (token.kind === 'number') return this.number(token.text);
    if (token.kind === 'name') return this.name(token.text);
    if (token.kind === 'command' && mark === token.text) return this.command(token.text);
    const close = brackets[mark];
    if (close !== undefined) {
      const inside = this.grouped(close);
      return mark === '⌊' ? call('floor', inside) : mark === '⌈' ? call('ceil', inside) : inside;
    }
    if (mark === '|') return this.absolute();
    if (mark === '√') return call('root', this.factor(), integer(2));
    throw new Refused(`unexpected ${token.text}`);
  }

  protected number(text: string): Expr {
    if (this.peek() !== '_' || !/^\d+$/.test(text)) return { kind: 'num', ...decimalValue(text) };
    this.at++;
    const base = this.argument();
    if (base.kind !== 'num') throw new Refused('a base is a number');
    return { kind: 'num', value: digitsInBase(text, base.value), isDecimal: false };
  }

  protected name(text: string): Expr {
    const lower = text.toLowerCase();
    if (text.length > 1 && knownWords.has(lower)) return this.word(shortNames[lower] ?? lower);
    if (text === 'π' || text === '∞') return { kind: 'name', name: text === 'π' ? 'pi' : 'infinity' };
    if (text.length > 3) throw new Refused(`${text} is a word`);
    const letters = [...text].map((name): Expr => ({ kind: 'name', name }));
    const last = letters.pop();
    if (!last) throw new Refused('no name');
    return [...letters, this.subscripted(last)].reduce(times);
  }

  protected word(known: string): Expr {
    if (known === 'pi') return { kind: 'name', name: 'pi' };
    if (known === 'infinity' || known === 'inf') return { kind: 'name', name: 'infinity' };
    if (known === 'sqrt') return call('root', this.argument(), integer(2));
    return known === 'abs' ? call('abs', this.argument()) : this.function(known);
  }

  protected subscripted(base: Expr): Expr {
    if (base.kind !== 'name' || !this.take('_')) return base;
    const isGroup = this.take('{');
    const parts: string[] = [];
    do parts.push(this.next().text);
    while (isGroup && !this.take('}'));
    return { kind: 'name', name: `${base.name}_${parts.join('')}` };
  }

  protected command(name: string): Expr {
    if (name === 'frac') return { kind: 'quotient', over: this.argument(), under: this.argument() };
    if (name === 'binom' || name === 'dbinom' || name === 'tbinom')
      return call('binomial', this.argument(), this.argument());
    if (name === 'sqrt') return this.root();
    if (name === 'pi') return { kind: 'name', name: 'pi' };
    if (name === 'infty') return { kind: 'name', name: 'infinity' };
    if (greek.test(name)) return this.subscripted({ kind: 'name', name: `\\${name}` });
    if (functions.has(name)) return this.function(name);
    if (['vec', 'overline', 'bar', 'hat', 'mathbb', 'mathcal', 'mathbf'].includes(name)) return this.argument();
    throw new Refused(`no reading of \\${name}`);
  }

  protected root(): Expr {
    let degree: Expr = integer(2);
    if (this.take('[')) {
      degree = this.sum();
      this.need(']');
    }
    return call('root', this.argument(), degree);
  }

  /** `\frac12` takes one digit for each; braces and single atoms as they are. */
  protected argument(): Expr {
    const token = this.tokens[this.at];
    if (this.take('{')) return this.grouped('}');
    if (token?.kind === 'number' && /^\d{2,}$/.test(token.text)) return this.digit(token.text);
    return this.deeper(() => this.atom());
  }

  /** Take the first digit of a number and leave the rest of it. */
  protected digit(text: string): Expr {
    const rest: Token = { kind: 'number', text: text.slice(1), spaced: false };
    (this.tokens as Token[])[this.at] = rest; // the tokens are this parser's own
    return integer(Number(text[0]));
  }

  protected function(name: string): Expr {
    let base: Expr | undefined;
    if (this.take('_')) base = this.argument();
    let exponent: Expr | undefined;
    if (this.take('^')) exponent = this.exponent();
    const isInverse = exponent?.kind === 'product' && Object.hasOwn(inverses, name);
    const applied = apply(isInverse ? (inverses[name] ?? name) : name, this.operand(), base);
    return exponent && !isInverse ? { kind: 'power', base: applied, exponent } : applied;
  }

  /** What a function without parentheses applies to: the factors up to the next function. */
  protected operand(): Expr {
    const isBracketed = ['(', '{', '['].includes(this.peek() ?? '');
    let operand = this.take('-') ? negated(this.factor()) : this.factor();
    if (isBracketed) return operand;
    for (;;) {
      const token = this.tokens[this.at];
      const isNext = token && (functions.has(token.text) || knownWords.has(token.text)) && token.text !== 'pi';
      if (this.take('/')) operand = { kind: 'quotient', over: operand, under: this.factor() };
      else if (!isNext && token?.kind !== 'number' && this.startsFactor()) operand = times(operand, this.factor());
      else return operand;
    }
  }

  protected grouped(close: string): Expr {
    const bars = this.#bars;
    this.#bars = 0;
    const inside = this.sum();
    this.#bars = bars;
    this.need(close);
    return inside;
  }

  protected absolute(): Expr {
    this.#bars++;
    const inside = this.sum();
    this.#bars--;
    this.need('|');
    return call('abs', inside);
  }
}

const call = (name: string, ...args: Expr[]): Expr => ({ kind: 'call', name, args });
/** A product takes its next factor in place: copying it for each would be quadratic, and nobody else holds it yet. */
const times = (left: Expr, right: Expr): Expr => {
  if (left.kind !== 'product') return { kind: 'product', factors: [left, right] };
  (left.factors as Expr[]).push(right);
  return left;
};
const mixed = (whole: Expr, part: Expr): Expr => ({ kind: 'sum', terms: [whole, part] });
const isProper = (expr: Expr) =>
  expr.kind === 'quotient' &&
  expr.over.kind === 'num' &&
  expr.under.kind === 'num' &&
  expr.over.value.n < expr.under.value.n;

function apply(name: string, operand: Expr, base: Expr | undefined): Expr {
  if (name === 'ln') return call('log', operand, { kind: 'name', name: 'e' });
  if (name === 'log' || name === 'lg') return call('log', operand, base ?? integer(10));
  if (name === 'exp') return { kind: 'power', base: { kind: 'name', name: 'e' }, exponent: operand };
  if (base) throw new Refused(`${name} has no subscript`);
  const isInDegrees = has(operand, (one) => one.kind === 'degrees');
  const turn: Expr = { kind: 'quotient', over: { kind: 'name', name: 'pi' }, under: integer(180) };
  return call(name, isInDegrees ? times(operand, turn) : operand);
}
