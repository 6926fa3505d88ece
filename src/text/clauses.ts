import { plainQuotes } from './phrases.ts';

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly text: string;
  /** The whole sentence it stands in. */
  readonly sentence: string;
}

/**
 * Cut what an agent says into clauses: quoted speech and code are taken out, questions and list marks too, typographic
 * marks are made plain.
 */
export function clausesOf(text: string): readonly Clause[] {
  const plain = plainQuotes(text)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|«[^»\n]*»/g, ' … ');
  return plain
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.trim() !== '' && !sentence.trimEnd().endsWith('?'))
    .flatMap((sentence) =>
      sentence
        .split(/[;:,]\s|\s(?:but|though|although|however|while|whereas|because|since)\s|\s[–—-]\s/i)
        .map((part) => ({ text: part, sentence })),
    );
}

const denial =
  /\b(?:no|not|none|never|zero|0|without|nothing|neither|nor|cannot|failed to|fails? to|unable|hardly)\b|n't\b/i;
const supposed =
  /\b(?:if|when|whenever|unless|until|once|before|after|wish|hope|assum\w*|would|will|should|could|may|might|must|shall|let me|going to|want|try|trying|ensure|make sure|whether|in case|so that|need|needs|expect\w*|pretend|suppose|except|still)\b|'(?:ll|d)\b/i;

/** `with no errors`, `0 failures`: the word denies trouble, not the claim. */
const noTrouble =
  /\b(?:with\s+)?(?:no|0|zero|without(?:\s+any)?)\s+(?:\w+\s+)?(?:errors?|failures?|failed|warnings?|issues?|regressions?|problems?|skipped)\b/gi;

/** Say whether a clause denies what it says. */
export const isDenied = (text: string): boolean => denial.test(text.replace(noTrouble, ' '));
/** Say whether a clause only supposes, plans or asks for what it says. */
export const isSupposed = (text: string): boolean => supposed.test(text);
