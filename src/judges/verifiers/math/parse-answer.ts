import { type Answer, type Expr, Refused } from './node.ts';
import { ExpressionParser } from './parse-expression.ts';
import { plusMinus, plusMinusOf } from './plus-minus.ts';
import { relations } from './symbols.ts';
import { tokensOf } from './tokens.ts';

const closers: Readonly<Record<string, readonly string[]>> = {
  '(': [')', ']'],
  '[': [']', ')'],
  '⟨': ['⟩'],
  '{': ['}'],
};
/** Whether a bare list at the top, `1, 2`, may be read; inside brackets it is a tuple. */
export function parseAnswer(text: string, { thousands = true } = {}): Answer {
  return new AnswerParser(tokensOf(text, thousands)).answer();
}

/** Reads what is made of expressions: relations, tuples, sets, unions, matrices. */
class AnswerParser extends ExpressionParser {
  answer(): Answer {
    if (this.tokens.length === 0) throw new Refused('nothing to read');
    const whole = this.list();
    if (this.at < this.tokens.length) throw new Refused(`unexpected ${this.tokens[this.at]?.text}`);
    return whole;
  }

  /** Answers between commas: one as it is, several as a set. */
  protected list(): Answer {
    const items = [this.union()];
    while (this.take(',') || this.take(';')) items.push(this.union());
    const [first] = items;
    return items.length === 1 && first ? first : { kind: 'set', items };
  }

  protected union(): Answer {
    const parts = [this.ratio()];
    while (this.take('∪')) parts.push(this.ratio());
    const [first] = parts;
    return parts.length === 1 && first ? first : { kind: 'union', parts };
  }

  protected ratio(): Answer {
    const items = [this.relation()];
    while (this.take(':')) items.push(this.relation());
    const [first] = items;
    return items.length === 1 && first ? first : { kind: 'tuple', open: ':', close: ':', items };
  }

  protected relation(): Answer {
    const first = this.item();
    if (first.kind !== 'expr') return first;
    if (this.take('∈')) return this.union(); // x ∈ A says A
    const sides = [first.expr];
    const found: Answer[] = [];
    for (let mark = this.peek(); mark !== undefined && Object.hasOwn(relations, mark); mark = this.peek()) {
      this.at++;
      const next = this.item();
      if (next.kind !== 'expr') {
        if (relations[mark]?.relation === '=' && sides.length === 1) return next; // S = {1, 2} says {1, 2}
        throw new Refused('a relation needs expressions');
      }
      found.push(relationOf(mark, sides.at(-1) ?? next.expr, next.expr));
      sides.push(next.expr);
    }
    const [only] = found;
    if (!only) return plusMinus(first.expr);
    if (found.length === 1) return plusMinusOf(only);
    const isChain = found.every((one) => one.kind === 'relation' && one.relation === '=');
    const [from = first.expr] = sides;
    return isChain ? relationOf('=', from, sides.at(-1) ?? from) : { kind: 'set', items: found };
  }

  /** A bracketed structure, a matrix, or an expression that may begin with a bracket. */
  protected item(): Answer {
    const start = this.at;
    const structure = this.structure();
    if (structure && !this.goesOn()) return structure;
    this.at = start;
    return { kind: 'expr', expr: this.sum() };
  }

  protected structure(): Answer | undefined {
    const mark = this.peek();
    if (mark === '\\{') return this.set();
    if (mark === 'begin') return this.matrix();
    if (mark === 'emptyset' || mark === 'varnothing') {
      this.at++;
      return { kind: 'set', items: [] };
    }
    if (mark === undefined || !['(', '[', '⟨'].includes(mark)) return undefined;
    return this.deeper(() => this.tuple(mark));
  }

  protected tuple(open: string): Answer | undefined {
    this.at++;
    const items: Answer[] = [];
    try {
      do items.push(this.ratio());
      while (this.take(',') || this.take(';'));
    } catch (error) {
      if (error instanceof Refused && items.length === 0) return undefined; // perhaps the expression reads it
      throw error;
    }
    const close = this.peek() ?? '';
    if (items.length < 2 || !closers[open]?.includes(close)) return undefined;
    this.at++;
    return open === '⟨' ? { kind: 'tuple', open: '(', close: ')', items } : { kind: 'tuple', open, close, items };
  }

  protected set(): Answer {
    this.at++;
    if (this.take('\\}')) return { kind: 'set', items: [] };
    const inside = this.deeper(() => this.list());
    this.need('\\}');
    return inside.kind === 'set' ? inside : { kind: 'set', items: [inside] };
  }

  protected matrix(): Answer {
    this.at++;
    const name = this.environment();
    if (!/^[pbvBV]?matrix$|^array$|^smallmatrix$/.test(name)) throw new Refused(`no reading of ${name}`);
    if (name === 'array' && this.take('{')) while (!this.take('}')) this.next();
    const rows: Answer[][] = [[]];
    while (this.peek() !== 'end') {
      if (this.take('\\')) rows.push([]);
      else if (!this.take('&')) rows.at(-1)?.push(this.deeper(() => this.ratio()));
    }
    this.at++;
    this.environment();
    return { kind: 'matrix', rows: rows.filter((row) => row.length > 0) };
  }

  protected environment(): string {
    this.need('{');
    const name = this.next().text;
    this.need('}');
    return name;
  }

  /** Whether an expression goes on here, so that what was read is only its first factor. */
  protected goesOn(): boolean {
    const mark = this.peek();
    return (
      mark !== undefined &&
      (['+', '-', '*', '/', '^', '!', '%', '±', '∓', '°', '_'].includes(mark) || this.startsFactor())
    );
  }
}

function relationOf(mark: string, left: Expr, right: Expr): Answer {
  const { relation, isSwapped } = relations[mark] ?? { relation: '=', isSwapped: false };
  return isSwapped
    ? { kind: 'relation', relation, left: right, right: left }
    : { kind: 'relation', relation, left, right };
}
