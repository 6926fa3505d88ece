import { z } from 'zod';
import { normalizeText } from './normalize-text.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  lower: z.boolean().default(true).describe('Ignore case.'),
  stripPunct: z.boolean().default(true).describe('Ignore punctuation and symbols, except what belongs to a number.'),
  whole: z.boolean().default(false).describe('Compare the whole text only, not its last line too.'),
});

/**
 * Compare the answer with the reference as text: the last line that is not empty, and the whole text. A list of references
 * accepts any of them.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown
 * @source rlhfbook ch. 7; house rule for the normal form
 */
export const exactMatch = defineVerifier({
  name: 'ExactMatch',
  options,
  needsGold: true,
  check: ({ lower, stripPunct, whole }) => {
    const normal = (text: string) => normalizeText(text, { lower, stripPunct });
    return (candidate, gold) => {
      const wanted = goldTexts(gold);
      if (wanted.length === 0) return new Unjudged('missing_reward', 'the reference is no text');
      const normalWanted = wanted.map(normal);
      const isAccepted = (got: string): boolean => {
        const text = normal(got);
        return text === ''
          ? wanted.some((want, n) => normalWanted[n] === '' && got.trim() === want.trim()) // all punctuation: as it stands
          : normalWanted.includes(text);
      };
      const trimmed = candidate.trim();
      const isLastLine = !whole && trimmed.includes('\n') && isAccepted(trimmed.slice(trimmed.lastIndexOf('\n') + 1));
      return isLastLine || isAccepted(trimmed) ? true : [false, `ExactMatch: fail, the answer is not ${referenceWord}`];
    };
  },
});
export const ExactMatch = exactMatch;
