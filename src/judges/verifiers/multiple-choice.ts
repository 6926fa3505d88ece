import { z } from 'zod';
import { lastBox } from './extract-answer.ts';
import { goldTexts, referenceWord } from './reference-value.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject(verifierOptions);
const alone = String.raw`(?![\p{L}\p{N}_]|['’-][\p{L}\p{N}])`;
const start = String.raw`(?<![\p{L}\p{N}_'’-])`;
const goldLetter = new RegExp(String.raw`^[\s(]*([A-Ja-j])${alone}`, 'u');
const boxed = /^\s*(?:\\(?:text|textbf|mathrm|mathbf|textit)\s*\{\s*)?\(?\s*([A-Ja-j])\s*\)?[.\s]*\}?\s*$/;
const word = '(?:[Aa]nswer|ANSWER|[Oo]ption|OPTION|[Cc]hoice|CHOICE)';
const mark = String.raw`[\s*_"“$]{0,20}`; // bounded: two of these side by side must not make a search quadratic
const stated = new RegExp(
  String.raw`${start}${word}${mark}(?:(?:is|IS)${mark})?:?${mark}(?:\(([A-Ja-j])\)|([A-J])${alone}|([a-j])(?=\s*(?:[.,;!?\n]|$)))`,
  'gu',
);
const approved = new RegExp(
  String.raw`(?:\(([A-Ja-j])\)|${start}([A-J])\)?)[*\s]+is[*\s]+(?:correct|right|the\s+(?:correct\s+|right\s+)?answer)`,
  'gu',
);
const capital = new RegExp(`${start}([A-HJ])${alone}`, 'gu');
const articleBefore = /^\s+\p{Ll}/u;

/**
 * Compare the letter, A to J, that the answer chose with the reference's. The last choice that was stated counts: a box,
 * "the answer is B", "B is correct", a letter on its own, else the last capital that stands alone.
 *
 * @source rlhfbook ch. 7
 */
export const multipleChoice = defineVerifier({
  name: 'MultipleChoice',
  options,
  needsGold: true,
  check: () => (candidate, gold) => {
    const wanted = goldTexts(gold).map((text) => goldLetter.exec(text)?.[1]?.toUpperCase());
    if (!wanted.some(Boolean)) return new Unjudged('missing_reward', 'the reference is no letter from A to J');
    const chosen = chosenLetter(candidate)?.toUpperCase();
    if (chosen === undefined) return [false, 'MultipleChoice: fail, no choice found'];
    return wanted.includes(chosen) ? true : [false, `MultipleChoice: fail, chose ${chosen}, not ${referenceWord}`];
  },
});
export const MultipleChoice = multipleChoice;

function chosenLetter(text: string): string | undefined {
  const box = boxed.exec((lastBox(text) ?? '').slice(0, 60))?.[1];
  if (box) return box;
  for (const pattern of [stated, approved]) {
    const last = [...text.matchAll(pattern)].at(-1);
    if (last) return last.slice(1).find(Boolean);
  }
  const whole = /^[\s(*]*([A-Ja-j])[\s).*]*$/.exec(text)?.[1];
  return whole ?? lastCapital(text);
}

function lastCapital(text: string): string | undefined {
  const letters = [...text.matchAll(capital)].filter(
    ({ 0: letter, index }) => letter !== 'A' || !articleBefore.test(text.slice(index + 1, index + 9)),
  );
  return letters.at(-1)?.[0];
}
