import type { Span } from './redaction-rule.ts';

/** What has to go, and the one form of it that its placeholder is made of. */
export interface Hit extends Span {
  readonly kind: string;
  readonly canonical: string;
}

/** Shorter values than this are redacted where they are found, and not looked for elsewhere: they would hit by chance. */
const minRepeatLength = 6;

/** What was found in one row. */
export class Known {
  readonly #literals = new Map<string, Hit>();
  readonly #digits = new Map<string, Hit>();
  readonly #kinds = new Map<string, string>();
  isEmpty = true;

  learn(text: string, hits: readonly Hit[]): void {
    for (const hit of hits) {
      this.isEmpty = false;
      const kind = this.#kinds.get(hit.canonical);
      if (kind === undefined || kind === 'secret') this.#kinds.set(hit.canonical, hit.kind); // the particular one says more
      const found = text.slice(hit.start, hit.end);
      if (found.length >= minRepeatLength) this.#literals.set(found, hit);
      if (/^\d{7,}$/.test(hit.canonical)) this.#digits.set(hit.canonical, hit);
    }
  }

  /** Where a text repeats a known value: word for word, or the same digits written in another way. */
  repeats(text: string): readonly Hit[] {
    const hits: Hit[] = [];
    for (const [found, hit] of this.#literals) addWords(text, found, hit, hits);
    if (this.#digits.size > 0) hits.push(...this.#digitsIn(text));
    return hits;
  }

  /** The hits by the kind that their value has in the row: one value has one placeholder. */
  named(hits: readonly Hit[]): readonly Hit[] {
    return hits.map((hit) => ({ ...hit, kind: this.#kinds.get(hit.canonical) ?? hit.kind }));
  }

  #digitsIn(text: string): readonly Hit[] {
    return [...text.matchAll(longNumber)].flatMap((match) => {
      const digits = match[0].replace(/\D/g, '');
      const home = digits.startsWith('1') ? this.#digits.get(digits.slice(1)) : undefined; // with the code of its country
      const hit = this.#digits.get(digits) ?? home;
      return hit ? [{ ...hit, start: match.index, end: match.index + match[0].length }] : [];
    });
  }
}

const longNumber = /(?<![\w.-])\+?\(?\d(?:[ ().-]{0,2}\d){6,18}(?![\w-])/g;

function addWords(text: string, found: string, hit: Hit, hits: Hit[]): void {
  for (let start = text.indexOf(found); start >= 0; start = text.indexOf(found, start + found.length)) {
    const end = start + found.length;
    if (!isWordAt(text, start - 1) && !isWordAt(text, end)) hits.push({ ...hit, start, end });
  }
}

const isWordAt = (text: string, at: number) => /\w/.test(text.charAt(at));
