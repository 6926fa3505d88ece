import { Refused } from './node.ts';
import { markOf } from './symbols.ts';
import type { Token } from './tokens.ts';

const maxDepth = 200;

/** A place in a list of tokens. */
export class Cursor {
  protected readonly tokens: Token[];
  protected at = 0;
  #depth = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  protected deeper<T>(read: () => T): T {
    if (++this.#depth > maxDepth * 3) throw new Refused('nested too deep'); // three rules for each level of brackets
    const out = read();
    this.#depth--;
    return out;
  }

  protected peek(): string | undefined {
    const token = this.tokens[this.at];
    return token && markOf(token);
  }

  protected take(mark: string): boolean {
    const token = this.tokens[this.at];
    if (!token || token.kind === 'name' || token.kind === 'number' || markOf(token) !== mark) return false;
    this.at++;
    return true;
  }

  protected need(mark: string): void {
    if (!this.take(mark)) throw new Refused(`expected ${mark}`);
  }

  protected next(): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new Refused('ends too early');
    return token;
  }
}
