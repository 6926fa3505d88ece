import { z } from 'zod';
import { normalizeText } from './normalize-text.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  lower: z.boolean().default(true).describe('Ignore case.'),
  mode: z.enum(['all', 'any']).default('all').describe('Whether every needle must occur, or one.'),
});
const wordAtStart = /^\w/;
const wordAtEnd = /\w$/;
const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * Look for the reference, or for each of a list, in the text. A needle that begins or ends with a letter, a digit or an
 * underscore matches whole words on that side: 42 is not in 142.
 *
 * @throws TM_OPTIONS - when built, if `mode` is unknown
 * @source house rule
 */
export const includes = defineVerifier({
  name: 'Includes',
  options,
  needsGold: true,
  check: ({ lower, mode }) => {
    const normal = (text: string) => normalizeText(text, { lower, stripPunct: false });
    return (candidate, gold) => {
      const needles = goldTexts(gold).map(normal);
      if (needles.length === 0 || needles.includes('')) return new Unjudged('missing_reward', 'nothing to look for');
      const text = normal(candidate);
      const found = needles.filter((needle) => occurs(text, needle)).length;
      const score = mode === 'all' ? found === needles.length : found > 0;
      return score ? true : [false, `Includes: fail, ${found} of ${needles.length} found of ${referenceWord}`];
    };
  },
});
export const Includes = includes;

function occurs(text: string, needle: string): boolean {
  const [isWordStart, isWordEnd] = [wordAtStart.test(needle), wordAtEnd.test(needle)];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const isCutBefore = isWordStart && isWord(text.slice(Math.max(0, at - 2), at), -1);
    if (!isCutBefore && !(isWordEnd && isWord(text.slice(at + needle.length, at + needle.length + 2), 0))) return true;
  }
  return false;
}

/** The character at an end of the text, which may take two units. */
const isWord = (text: string, end: 0 | -1) => wordCharacter.test([...text.slice(end === 0 ? 0 : -2)].at(end) ?? '');
