import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frequentTerms } from '../../../../src/reports/guard/hack/frequent-terms.ts';

const names = ['a', 'b', 'c', 'd', '#'];

it('finds the terms that counting every token and pair finds', () => {
  const texts = fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 8 }), { maxLength: 20 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 9 }), (tokens, least, most) => {
      const holding = new Map<string, Set<number>>();
      const hold = (term: string, text: number) => holding.set(term, (holding.get(term) ?? new Set()).add(text));
      tokens.forEach((list, text) => {
        for (const [at, token] of list.entries()) {
          hold(names[token] ?? '', text);
          if (at > 0) hold(`${names[list[at - 1] ?? 0]} ${names[token]}`, text);
        }
      });
      const plain = [...holding]
        .map(([term, set]) => ({ term, texts: [...set] }))
        .filter(({ texts }) => texts.length >= least && texts.length < tokens.length)
        .sort((x, y) => y.texts.length - x.texts.length || (x.term < y.term ? -1 : 1))
        .slice(0, most)
        .sort((x, y) => (x.term < y.term ? -1 : 1));
      const found = frequentTerms(
        tokens.map((list) => Int32Array.from(list)),
        names,
        { most, least },
      );
      expect(found).toEqual(plain);
    }),
  );
});
