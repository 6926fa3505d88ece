import { Refused } from './node.ts';

/** A piece of the text; `spaced` when blanks stood before it. */
export interface Token {
  readonly kind: 'number' | 'name' | 'command' | 'mark';
  readonly text: string;
  readonly spaced: boolean;
}
const pieces =
  /(?<number>(?:\d+(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+(?![\w.]))?|\.\d+(?:[eE][-+]?\d+(?![\w.]))?|\d+\.(?!\d))|\\(?<command>[a-zA-Z]+|[%{}|&\\])|(?<name>[a-zA-Z]+|[α-ωΑ-Ωπ∞])|(?<mark><=|>=|!=|≤|≥|≠|×|÷|·|±|∓|∪|∈|√|°|[-+*/^_!%(){}[\]|,;:=<>&])/uy;

const functionWords = ['arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh', 'sqrt', 'asin', 'acos', 'atan'];
functionWords.push('sin', 'cos', 'tan', 'cot', 'sec', 'csc', 'log', 'exp', 'abs', 'ln', 'lg', 'infinity', 'inf', 'pi');
/** Names of more than one letter that are read as they are. */
export const knownWords: ReadonlySet<string> = new Set(functionWords);
const maxTokens = 5000;

/** Cut a cleaned text into tokens. Thousands commas belong to a number only where `thousands` says so. */
export function tokensOf(text: string, thousands: boolean): Token[] {
  const found: Token[] = [];
  let isSpaced = false;
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      isSpaced = true;
      at++;
      continue;
    }
    pieces.lastIndex = at;
    const { groups = {}, 0: whole = '' } = pieces.exec(text) ?? {};
    if (whole === '') throw new Refused(`cannot read ${JSON.stringify(text.slice(at, at + 20))}`);
    const piece = firstPiece(groups, whole, thousands);
    found.push({ kind: piece.kind, text: piece.text, spaced: isSpaced });
    if (found.length > maxTokens) throw new Refused('too long');
    isSpaced = false;
    at += piece.length;
  }
  return found;
}

function firstPiece(groups: Readonly<Record<string, string | undefined>>, whole: string, thousands: boolean) {
  const { number, command, name } = groups;
  if (number !== undefined) {
    if (!number.includes(',')) return { kind: 'number', text: number, length: whole.length } as const;
    if (thousands && /^\d{1,3},/.test(number))
      return { kind: 'number', text: number.replaceAll(',', ''), length: whole.length } as const;
    const [first = ''] = number.split(',');
    return { kind: 'number', text: first, length: first.length } as const;
  }
  if (command !== undefined) return { kind: 'command', text: command, length: whole.length } as const;
  if (name !== undefined) return { kind: 'name', text: name, length: whole.length } as const;
  return { kind: 'mark', text: whole, length: whole.length } as const;
}
