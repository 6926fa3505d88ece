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

/**
 * Index texts by their word n-grams, to find which of them another text shares. Coverage is of one indexed text at a time,
 * exact, on both sides. A look-up costs as much as the indexed texts that hold its n-grams, each once for an n-gram.
 *
 * @param texts - as words
 * @param n - words of an n-gram
 * @source GPT-3 (arXiv:2005.14165), app. C; coverage as Llama 2 (arXiv:2307.09288) and Tulu 3 (arXiv:2411.15124) define it
 */
export function gramIndex(texts: readonly (readonly string[])[], n: number) {
  const ids = new Map<string, number>();
  const holders: number[][] = [];
  const grams = texts.map((words, text) =>
    gramsOf(words, n).map((gram) => {
      const id = ids.get(gram) ?? ids.size;
      ids.set(gram, id);
      holders[id] ??= [];
      const known = holders[id];
      if (known.at(-1) !== text) known.push(text);
      return id;
    }),
  );
  const covered = new Int32Array(texts.length);
  const end = new Int32Array(texts.length);
  const first = new Int32Array(texts.length);
  const seen = new Int32Array(texts.length).fill(-1);
  const marked: Int32Array = new Int32Array(holders.length).fill(-1);
  let look = 0;

  /** Share of an indexed text's words in n-grams that the current look-up marked. */
  const indexCoverageOf = (text: number): number => {
    let [sum, until] = [0, 0];
    (grams[text] ?? []).forEach((gram, at) => {
      if (marked[gram] !== look) return;
      sum += at + n - Math.max(until, at);
      until = at + n;
    });
    return sum / (texts[text]?.length ?? 1);
  };

  return {
    /** Every indexed text that shares an n-gram with these words, in the order of the index. */
    lookUp(words: readonly string[]): readonly SharedGrams[] {
      look++;
      const found: number[] = [];
      const own = gramsOf(words, n);
      own.forEach((gram, at) => {
        const id = ids.get(gram);
        if (id === undefined) return;
        marked[id] = look;
        for (const text of holders[id] ?? []) {
          if (seen[text] !== look) {
            seen[text] = look;
            covered[text] = 0;
            end[text] = 0;
            first[text] = at;
            found.push(text);
          }
          covered[text] = (covered[text] ?? 0) + at + n - Math.max(end[text] ?? 0, at);
          end[text] = at + n;
        }
      });
      return found
        .sort((a, b) => a - b)
        .map((text) => ({
          text,
          coverage: (covered[text] ?? 0) / words.length,
          indexCoverage: indexCoverageOf(text),
          gram: own[first[text] ?? 0] ?? '',
        }));
    },
  };
}

const gramsOf = (words: readonly string[], n: number): readonly string[] =>
  Array.from({ length: Math.max(0, words.length - n + 1) }, (_, at) => words.slice(at, at + n).join(' '));
