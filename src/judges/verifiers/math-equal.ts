import { z } from 'zod';
import { extractAnswer, lastBox } from './extract-answer.ts';
import { compareAnswers } from './math/index.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject(verifierOptions);

/**
 * Compare the answer with the reference as mathematics; a list of references accepts any of them. Exact where both sides are
 * exact; a decimal may stand for a value whose digits do not end, to six digits. Neither side is ever run, and the work is
 * bounded: what cannot be told in time scores 0 and says so.
 *
 * @source rlhfbook ch. 7; identity testing at random points (Schwartz 1980, Zippel 1979)
 */
export const mathEqual = defineVerifier({
  name: 'MathEqual',
  options,
  needsGold: true,
  check: () => (candidate, gold) => {
    const wanted = goldTexts(gold);
    if (wanted.length === 0) return new Unjudged('missing_reward', 'the reference is no text');
    const answer = extractAnswer(candidate);
    if (answer === null) return [false, 'MathEqual: fail, the answer is empty'];
    const verdicts = wanted.map((want) => compareAnswers(answer, lastBox(want) ?? want));
    if (verdicts.includes('same')) return true;
    if (verdicts.includes('undecided')) return [false, 'MathEqual: fail, undecided: no value, or too much to work out'];
    return [false, `MathEqual: fail, ${JSON.stringify(answer.slice(0, 80))} is not ${referenceWord}`];
  },
});
export const MathEqual = mathEqual;
