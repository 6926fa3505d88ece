import { asWords, cleanMath, isTextMarkup } from './clean.ts';
import { expressionsIn } from './last-expression.ts';
import { type Answer, Refused } from './node.ts';
import { parseAnswer } from './parse-answer.ts';
import { Budget } from './rational.ts';
import { sameAnswer } from './same-answer.ts';

/** Whether two answers are the same; `undecided` when that could not be told. */
export type MathVerdict = 'same' | 'different' | 'undecided';
const maxLength = 10_000;

/**
 * Compare two answers as mathematics: numbers, expressions, equations, inequalities, tuples, intervals, sets, unions,
 * matrices; as words where one of them is no mathematics. Both are data: parsed by a grammar of our own, never run, and the
 * work is bounded whatever they say.
 */
export function compareAnswers(candidate: string, reference: string): MathVerdict {
  if (candidate.length > maxLength || reference.length > maxLength) return 'undecided';
  const words = asWords(reference);
  if (asWords(candidate) === words && words !== '') return 'same';
  if (isTextMarkup(candidate) || isTextMarkup(reference)) return 'different';
  const wanted = readings(reference);
  if (wanted.answers.length === 0) return wanted.isTooMuch ? 'undecided' : 'different'; // words, and they differ
  const got = readings(candidate);
  if (got.answers.length > 0) return anySame(got.answers, wanted.answers);
  if (got.isTooMuch) return 'undecided';
  for (const text of expressionsIn(candidate)) {
    const { answers } = readings(text);
    if (answers.length > 0) return anySame(answers, wanted.answers);
  }
  return 'different';
}

interface Readings {
  readonly answers: readonly Answer[];
  readonly isTooMuch: boolean;
}

/** What a text can mean: 1,234 is one number or two, `5 m` is a product or a length. */
function readings(text: string): Readings {
  const clean = cleanMath(text);
  const withoutUnit = clean.replace(/(?<=[\d)}])\s+(?:[a-zA-Z]|[a-z]{2})(?:\s*\^\s*\{?[23]\}?)?$/, '');
  const read = [...new Set([clean, withoutUnit])].flatMap((one) =>
    /\d,\d{3}/.test(one) ? [reading(one, true), reading(one, false)] : [reading(one, true)],
  );
  return {
    answers: read.flatMap(({ answers }) => answers),
    isTooMuch: read.some(({ isTooMuch }) => isTooMuch),
  };
}

function reading(text: string, thousands: boolean): Readings {
  try {
    return { answers: [parseAnswer(text, { thousands })], isTooMuch: false };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { answers: [], isTooMuch: /too deep|too long|out of range/.test(error.message) };
  }
}

function anySame(got: readonly Answer[], wanted: readonly Answer[]): MathVerdict {
  let verdict: MathVerdict = 'different';
  for (const one of got)
    for (const other of wanted)
      try {
        if (sameAnswer(one, other, new Budget())) return 'same';
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        verdict = 'undecided';
      }
  return verdict;
}
