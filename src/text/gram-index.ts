import { gramIds, growable } from './gram-ids.ts';

/** How much one text shares with a text of the index, by word n-grams. */
export interface SharedGrams {
  /** Place of the text in the index. */
  readonly text: number;
  /** Share of the looked-up words that stand in a shared n-gram. */
  readonly coverage: number;
  /** Share of the indexed text's words that do. */
  readonly indexCoverage: number;
  /** The first shared n-gram. */
  readonly gram: string;
}

interface GramIndexOptions {
  /** Words of an n-gram. */
  readonly n: number;
  /** Share of words from which a text counts as covered; 0: any shared n-gram. */
  readonly overlap: number;
  /** Whose words the share is of: either text, the one looked up, or the indexed one. */
  readonly side: 'either' | 'looked_up' | 'indexed';
}

/**
 * Index texts by their word n-grams, to find those that cover another text, or are covered by it. The index may grow between
 * look-ups. Coverage is of one indexed text at a time, exact, on both sides.
 *
 * Texts that share a sentence with many are not compared with all of them: the most frequent n-grams of a text that together
 * cover less than `overlap` of it cannot make a hit alone, so only texts that share one of its other n-grams are looked at.
 * Memory: about 30 bytes for each n-gram of the indexed texts.
 *
 * @source GPT-3 (arXiv:2005.14165), app. C; coverage as Llama 2 (arXiv:2307.09288) and Tulu 3 (arXiv:2411.15124) define it;
 * Chaudhuri, Ganti & Kaushik 2006, prefix filtering, here over covered words
 */
export function gramIndex({ n, overlap, side }: GramIndexOptions) {
  const ids = gramIds(n);
  const grams: Int32Array[] = []; // of each text, in order
  const lengths = growable();
  const frequency = growable();
  const holders = postings(); // texts of every n-gram
  const needles = postings(); // texts that are not covered without it
  const met = growable(-1);
  const [own, shared] = [growable(-1), growable(-1)];
  let [look, compared] = [0, 0];

  /** The n-grams of a text of which a text that covers it must share one: what is left beside the most frequent. */
  const telling = (text: Int32Array, words: number): readonly number[] => {
    const places = new Map<number, number[]>();
    text.forEach((gram, at) => {
      const known = places.get(gram);
      if (known) known.push(at);
      else places.set(gram, [at]);
    });
    const known = [...places].filter(([gram]) => gram >= 0);
    known.sort(([a], [b]) => frequency.at(b) - frequency.at(a) || a - b);
    const isCovered = new Uint8Array(words);
    const mayCover = (overlap - 1e-9) * words;
    let covered = 0;
    return known.flatMap(([gram, at]) => {
      const more = new Set(at.flatMap((place) => wordsAt(place).filter((word) => !isCovered[word])));
      if (covered + more.size >= mayCover) return [gram];
      covered += more.size;
      for (const word of more) isCovered[word] = 1;
      return [];
    });
  };
  const wordsAt = (place: number): readonly number[] => Array.from({ length: n }, (_, word) => place + word);

  /** Share of a text's words in n-grams that carry a mark, and the place of the first. */
  const markedShare = (text: Int32Array, words: number, isMarked: (gram: number) => boolean) => {
    let [sum, until, first] = [0, 0, -1];
    text.forEach((gram, at) => {
      if (gram < 0 || !isMarked(gram)) return;
      if (first < 0) first = at;
      sum += at + n - Math.max(until, at);
      until = at + n;
    });
    return { share: sum / words, first };
  };
  const compare = (text: number, looked: Int32Array, words: readonly string[]): SharedGrams => {
    compared++;
    const indexed = grams[text] as Int32Array;
    const { share: indexCoverage } = markedShare(indexed, lengths.at(text), (gram) => {
      if (own.at(gram) !== look) return false;
      shared.set(gram, compared);
      return true;
    });
    const { share: coverage, first } = markedShare(looked, words.length, (gram) => shared.at(gram) === compared);
    return { text, coverage, indexCoverage, gram: words.slice(first, first + n).join(' ') };
  };
  const makeRoom = (): void => {
    while (frequency.length < ids.count()) {
      frequency.push(0);
      own.push(-1);
      shared.push(-1);
    }
  };
  const isHit = ({ coverage, indexCoverage }: SharedGrams): boolean =>
    (side !== 'indexed' && coverage >= overlap - 1e-9) || (side !== 'looked_up' && indexCoverage >= overlap - 1e-9);

  return {
    /** Take one more text, as words. Its place is the number of those before it. */
    add(words: readonly string[]): number {
      const text = ids.keep(words);
      const place = grams.push(text) - 1;
      lengths.push(words.length);
      met.push(-1);
      if (side !== 'looked_up') for (const gram of telling(text, words.length)) needles.add(gram, place);
      makeRoom();
      for (const gram of new Set(text)) {
        frequency.set(gram, frequency.at(gram) + 1);
        if (side !== 'indexed') holders.add(gram, place);
      }
      return place;
    },
    /** The indexed texts that share enough with these words, in the order of the index. */
    lookUp(words: readonly string[]): readonly SharedGrams[] {
      look++;
      const looked = ids.find(words);
      const found: number[] = [];
      const see = (text: number): void => {
        if (met.at(text) === look) return;
        met.set(text, look);
        found.push(text);
      };
      for (const gram of looked) {
        if (gram < 0 || own.at(gram) === look) continue;
        own.set(gram, look);
        needles.visit(gram, see);
      }
      if (side !== 'indexed') for (const gram of telling(looked, words.length)) holders.visit(gram, see);
      return found
        .sort((a, b) => a - b)
        .map((text) => compare(text, looked, words))
        .filter(isHit);
    },
  };
}

/** Lists of texts by n-gram, chained through flat memory. */
function postings() {
  const [heads, next, texts] = [growable(-1), growable(-1), growable()];
  return {
    add(gram: number, text: number): void {
      while (heads.length <= gram) heads.push(-1);
      next.push(heads.at(gram));
      heads.set(gram, texts.push(text));
    },
    visit(gram: number, see: (text: number) => void): void {
      if (gram >= heads.length) return;
      for (let entry = heads.at(gram); entry >= 0; entry = next.at(entry)) see(texts.at(entry));
    },
  };
}
