import type { Relation } from './node.ts';
import type { Token } from './tokens.ts';

/** How each sign of a relation is read; what points the other way is turned round. */
export const relations: Readonly<Record<string, { readonly relation: Relation; readonly isSwapped: boolean }>> = {
  '=': { relation: '=', isSwapped: false },
  '<': { relation: '<', isSwapped: false },
  '>': { relation: '<', isSwapped: true },
  '≤': { relation: '≤', isSwapped: false },
  '≥': { relation: '≤', isSwapped: true },
  '≠': { relation: '≠', isSwapped: false },
};
/** Commands that stand for a mark. */
export const commandMarks: Readonly<Record<string, string>> = {
  cdot: '*',
  times: '*',
  div: '/',
  le: '≤',
  leq: '≤',
  leqslant: '≤',
  ge: '≥',
  geq: '≥',
  geqslant: '≥',
  ne: '≠',
  neq: '≠',
  lt: '<',
  gt: '>',
  pm: '±',
  mp: '∓',
  cup: '∪',
  in: '∈',
  colon: ':',
  '%': '%',
  lvert: '|',
  rvert: '|',
  vert: '|',
  mid: '|',
  '|': '|',
  circ: '°',
  degree: '°',
  langle: '⟨',
  rangle: '⟩',
  lfloor: '⌊',
  rfloor: '⌋',
  lceil: '⌈',
  rceil: '⌉',
  '{': '\\{',
  '}': '\\}',
  lbrace: '\\{',
  rbrace: '\\}',
};
const markAliases: Readonly<Record<string, string>> = {
  '×': '*',
  '·': '*',
  '÷': '/',
  '<=': '≤',
  '>=': '≥',
  '!=': '≠',
};
/** Functions of one argument that need no parentheses. */
export const functions = new Set(['sin', 'cos', 'tan', 'cot', 'sec', 'csc', 'arcsin', 'arccos', 'arctan']);
for (const name of ['sinh', 'cosh', 'tanh', 'log', 'ln', 'lg', 'exp']) functions.add(name);
/** Other names of functions. */
export const shortNames: Readonly<Record<string, string>> = { asin: 'arcsin', acos: 'arccos', atan: 'arctan' };
/** What a function to the power -1 means. */
export const inverses: Readonly<Record<string, string>> = { sin: 'arcsin', cos: 'arccos', tan: 'arctan' };
/** Commands that are letters. */
export const greek =
  /^(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|ell)$/;

/** The mark that a token stands for, whatever way it is written. */
export function markOf({ kind, text }: Token): string {
  if (kind === 'command') return commandMarks[text] ?? text;
  return kind === 'mark' ? (markAliases[text] ?? text) : text;
}
