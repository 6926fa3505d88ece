/** A token or a pair of neighbours (`done`, `# done`), with the texts that hold it. */
interface Term {
  readonly term: string;
  readonly texts: readonly number[];
}

/**
 * Find the terms that at least `least` texts hold and not all: the `most` most frequent, ties by name, in the order of their
 * names. A pair is no more frequent than its tokens, so that only frequent ones are paired.
 *
 * @param tokens - the tokens of each text, as places in `names`
 */
export function frequentTerms(
  tokens: readonly Int32Array[],
  names: readonly string[],
  { most, least }: { readonly most: number; readonly least: number },
): readonly Term[] {
  const singles: number[][] = names.map(() => []);
  tokens.forEach((list, text) => {
    for (let at = 0; at < list.length; at++) note(singles[list[at] as number] as number[], text);
  });
  const paired = names.flatMap((_, token) => ((singles[token] as number[]).length >= least ? [token] : []));
  const pairs = pairsOf(tokens, paired, names.length);
  const found = [
    ...singles.map((texts, token) => ({ texts, name: () => names[token] as string })),
    ...[...pairs].map(([pair, texts]) => ({
      texts,
      name: () =>
        `${names[paired[Math.floor(pair / paired.length)] as number]} ${names[paired[pair % paired.length] as number]}`,
    })),
  ];
  return found
    .filter(({ texts }) => texts.length >= least && texts.length < tokens.length)
    .map(({ texts, name }) => ({ texts, term: name() }))
    .sort((a, b) => b.texts.length - a.texts.length || (a.term < b.term ? -1 : 1))
    .slice(0, most)
    .sort((a, b) => (a.term < b.term ? -1 : 1));
}

/** The texts that hold two frequent tokens side by side, by the places of both in `paired`. */
function pairsOf(
  tokens: readonly Int32Array[],
  paired: readonly number[],
  names: number,
): ReadonlyMap<number, number[]> {
  const places = new Int32Array(names).fill(-1);
  for (const [place, token] of paired.entries()) places[token] = place;
  const pairs = new Map<number, number[]>();
  tokens.forEach((list, text) => {
    let before = -1;
    for (let at = 0; at < list.length; at++) {
      const place = places[list[at] as number] as number;
      if (before >= 0 && place >= 0) {
        const pair = before * paired.length + place;
        const known = pairs.get(pair);
        if (known) note(known, text);
        else pairs.set(pair, [text]);
      }
      before = place;
    }
  });
  return pairs;
}

/** Add a text once: they come in order. */
function note(texts: number[], text: number): void {
  if (texts[texts.length - 1] !== text) texts.push(text);
}
