import { z } from 'zod';
import { extractAnswer } from './extract-answer.ts';
import { lastNumber } from './read-number.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  tol: z.number().min(0).default(1e-6).describe('Largest absolute difference that counts as equal.'),
  rel: z.number().min(0).optional().describe('Largest difference as a share of the reference, when that is more.'),
});
const slack = 1e-12; // 0.1 + 0.2: the edge belongs to it

/**
 * Compare the last number of the answer with the reference. Reads fractions, thousands commas, currency, percent signs and
 * scientific notation. What is not finite never matches.
 *
 * @throws TM_OPTIONS - when built, if a tolerance is negative
 * @source rlhfbook ch. 7
 */
export const numeric = defineVerifier({
  name: 'Numeric',
  options,
  needsGold: true,
  check:
    ({ tol, rel = 0 }) =>
    (candidate, gold) => {
      const wanted = goldTexts(gold)
        .map(lastNumber)
        .filter((want) => want !== undefined);
      if (wanted.length === 0) return new Unjudged('missing_reward', 'the reference has no number');
      const got = lastNumber(extractAnswer(candidate) ?? '') ?? lastNumber(candidate);
      if (got === undefined) return [false, 'Numeric: fail, no number in the answer'];
      const isEqual = (want: number) =>
        Number.isFinite(want) && Math.abs(got - want) <= Math.max(tol, rel * Math.abs(want)) + slack;
      return Number.isFinite(got) && wanted.some(isEqual)
        ? true
        : [false, `Numeric: fail, ${got} is not ${referenceWord}`];
    },
});
export const Numeric = numeric;
