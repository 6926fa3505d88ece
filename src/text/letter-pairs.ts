const room = 4096; // a text of some hundred letters fills a twentieth of it

/** The places of the pairs of neighbours in a phrase. */
export type LetterPairs = Uint16Array;

const placeOf = (one: number, next: number): number => (Math.imul(one, 31) + Math.imul(next, 1021)) & (room - 1);

/** Hash the pairs of neighbours in a phrase, once for all texts it is looked for in. */
export function letterPairs(phrase: string): LetterPairs {
  return Uint16Array.from({ length: Math.max(0, phrase.length - 1) }, (_, at) =>
    placeOf(phrase.charCodeAt(at), phrase.charCodeAt(at + 1)),
  );
}

/**
 * Make a table that is filled from one text after the other and says whether it may hold a phrase: false is certain, and
 * comes after one or two looks for most phrases.
 */
export function pairTable() {
  const marks = new Uint32Array(room);
  let texts = 0;
  let last: string | undefined;
  return {
    fill(text: string): void {
      if (text === last) return;
      last = text;
      texts = texts === 0xffffffff ? 1 : texts + 1;
      if (texts === 1) marks.fill(0);
      let one = text.charCodeAt(0);
      for (let at = 1; at < text.length; at++) {
        const next = text.charCodeAt(at);
        marks[placeOf(one, next)] = texts;
        one = next;
      }
    },
    mayHold(phrase: LetterPairs): boolean {
      for (let at = 0; at < phrase.length; at++) if (marks[phrase[at] as number] !== texts) return false;
      return true;
    },
  };
}
