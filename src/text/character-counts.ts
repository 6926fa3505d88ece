import { isAscii } from './ascii.ts';

/** What a text is made of. Words are what whitespace parts; punctuation is all that is no letter, mark, digit, `_` or space. */
export interface CharacterCounts {
  readonly words: number;
  readonly digits: number;
  readonly newlines: number;
  readonly punctuation: number;
  /** A to Z. */
  readonly capitals: number;
}

/** Count what a text is made of. */
export function characterCounts(text: string): CharacterCounts {
  return isAscii(text) ? countAscii(text) : countAny(text);
}

const [letter, space, newline, digit, capital, punctuation] = [0, 1, 2, 3, 4, 5] as const;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const one = String.fromCharCode(code);
  if (one === '\n') return newline;
  if (/\s/.test(one)) return space;
  if (/\d/.test(one)) return digit;
  if (/[A-Z]/.test(one)) return capital;
  return /\w/.test(one) ? letter : punctuation;
});

function countAscii(text: string): CharacterCounts {
  const counts = new Uint32Array(6);
  let words = 0;
  let before: number = space;
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)] as number;
    counts[kind] = (counts[kind] as number) + 1;
    if ((before === space || before === newline) && kind !== space && kind !== newline) words++;
    before = kind;
  }
  const of = (kind: number) => counts[kind] as number;
  return {
    words,
    digits: of(digit),
    newlines: of(newline),
    punctuation: of(punctuation),
    capitals: of(capital),
  };
}

function countAny(text: string): CharacterCounts {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    words: count(/\S+/g),
    digits: count(/\d/g),
    newlines: count(/\n/g),
    punctuation: count(/[^\p{L}\p{M}\p{N}_\s]/gu),
    capitals: count(/[A-Z]/g),
  };
}
