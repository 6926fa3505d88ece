import fc from 'fast-check';
import { expect, it } from 'vitest';
import { characterCounts } from '../../src/text/character-counts.ts';
import { tokensOf } from '../../src/text/terms.ts';

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 60 });

it('counts ASCII as it counts any text', () => {
  fc.assert(
    fc.property(ascii, (text) => {
      const { words, ...others } = characterCounts(`${text} é`); // one word more, and no other kind of character
      expect(characterCounts(text)).toEqual({ words: words - 1, ...others });
    }),
  );
});

it('counts words, digits, lines, punctuation and capitals', () => {
  expect(characterCounts('Ab c_1\n… ١ Ñ!')).toEqual({ words: 5, digits: 1, newlines: 1, punctuation: 2, capitals: 1 });
});

it('cuts ASCII into the tokens of any text', () => {
  fc.assert(
    fc.property(ascii, (text) => {
      expect([...tokensOf(text), '無']).toEqual(tokensOf(`${text} 無`));
    }),
  );
});
