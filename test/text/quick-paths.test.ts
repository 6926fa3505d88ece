import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDegenerate } from '../../src/text/broken-reply.ts';
import { foldText } from '../../src/text/fold.ts';
import { phrases } from '../../src/text/phrases.ts';
import { wordsOf } from '../../src/text/words.ts';

const spaced = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', 'a', 'B', 'É', '.'), maxLength: 30 });

it('folds every run of whitespace, whether there is one to fold or not', () => {
  fc.assert(
    fc.property(spaced, (text) => {
      expect(foldText(text)).toBe(text.toLowerCase().replace(/\s+/gu, ' ').trim());
    }),
  );
});

it('cuts ASCII into the words of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
      expect([...wordsOf(text), '無']).toEqual(wordsOf(`${text} 無`));
    }),
  );
});

it('sees a character that is repeated 30 times wherever it stands', () => {
  const one = fc.constantFrom('a', '!', '。', '👍', ' ');
  const around = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '👍', '!'), maxLength: 40 });
  fc.assert(
    fc.property(around, one, fc.integer({ min: 20, max: 40 }), around, (before, stuck, times, after) => {
      const text = before + stuck.repeat(times) + after;
      expect(isDegenerate(text)).toBe(/(\S)\1{29}/u.test(text));
    }),
  );
});

it('finds a phrase at the edges of words, under any quotation marks', () => {
  const list = phrases(["i'm sorry", 'as an ai', 'certainly!']);
  const part = fc.constantFrom(
    'I’m',
    "i'm",
    ' sorry',
    ' sorryful',
    'as an',
    ' AI',
    ' airline',
    'Certainly!',
    '  ',
    'x',
  );
  const plain = (text: string) =>
    /(?<![\p{L}\p{N}_]-?)(?:i'm sorry|as an ai)(?!-?[\p{L}\p{N}_])|(?<![\p{L}\p{N}_]-?)certainly!/u.test(
      text.replaceAll('’', "'").toLowerCase().replace(/\s+/gu, ' ').trim(),
    );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join('');
      expect(list.test(text)).toBe(plain(text));
      expect(list.found(text).length > 0).toBe(plain(text));
    }),
  );
});
