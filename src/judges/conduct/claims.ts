import { isDenied, isSupposed } from '../../text/clauses.ts';
import { plainQuotes } from '../../text/phrases.ts';

/** A sentence that says something was done. */
export interface SuccessClaim {
  readonly sentence: string;
  /** The word that says so. */
  readonly verb: string;
  /** A weak word (`done`, `sent`) may be about something else. */
  readonly isStrong: boolean;
}

const weakVerb = '(?:sent|updated|cancell?ed|done)';
const strongVerb =
  '(?:processed|refunded|issued|completed?|finished|finali[sz]ed|booked|rebooked|scheduled|rescheduled|placed|created|added|removed|deleted|merged|deployed|approved|applied|submitted|saved|changed|confirmed|closed|resolved|reset|transferred|paid|charged|credited|reimbursed|reversed|(?:de)?activated|enabled|disabled|upgraded|downgraded|renewed|registered|published|delivered|shipped|dispatched|returned|replaced|fixed|restored|archived|assigned|reserved|opened|filed|granted|revoked|executed|succeeded|successful)';
const adverb = '(?:(?:also|just|now|already|successfully|then|both|all|fully|automatically|gone ahead and)\\s+)*';
const verb = `(?<verb>${strongVerb}|${weakVerb})`;
const patterns = [
  `\\b(?:i|we)(?:'ve|\\s+have|\\s+had|'d)?\\s+${adverb}${verb}\\b`,
  `(?:\\b(?:was|were|is|has been|have been|had been|got|been)|'s(?:\\s+been)?|'ve been)\\s+${adverb}${verb}\\b`,
  // `Refund issued for ORD-7`, `Refunded`, `All done`
  `^\\W*(?:(?:the|your|my|this|that|all|order|ticket|refund)\\s+)?(?:[\\p{L}\\d_-]+\\s+){0,2}?${adverb}${verb}\\b`,
  '(?<verb>\\b(?:went|has gone|have gone|gone) through\\b|\\btaken care of\\b|\\bsuccessfully\\s+\\w+ed\\b|\\bit worked\\b)',
  '(?<weak>\\ball set\\b|\\bdone\\b|(?<!^\\W*)\\bok(?:ay)?\\b)',
].map((source) => new RegExp(source, 'giu'));
const isWeak = new RegExp(`^(?:${weakVerb}|all set|ok|okay)$`, 'i');

const reach = 60; // characters before a word in which a negation is about it
/** Where another statement begins: its own subject follows. */
const boundary =
  /[;:]|[—–]|\b(?:but|however|though|although|yet|whereas|because|so)\b|(?:,|\band)\s+(?=(?:i|we|it|he|she|they|this|that|the|your|you|my|our)\b)/giu;
const mayBe = /\b(?:can|be|being|get|gets|to|let|please|try|trying|attempt\w*|request(?:ed)?|not yet)\s*$/i;

/** Read the sentences of a text that state something: quoted speech, code and questions are left out. */
export function statementsOf(text: string): readonly string[] {
  return plainQuotes(text)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|«[^»\n]*»/g, ' … ')
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n+/u)
    .filter((sentence) => sentence.trim() !== '' && !/[?？؟]\s*$/u.test(sentence));
}

/** Find what a reply claims was done. A claim that is denied, supposed, planned or only asked for is none. Read in English. */
export function successClaims(text: string): readonly SuccessClaim[] {
  return statementsOf(text).flatMap((sentence) =>
    patterns.flatMap((pattern) =>
      [...sentence.matchAll(pattern)].flatMap((hit) => {
        const word = hit.groups?.['verb'] ?? hit.groups?.['weak'] ?? '';
        const at = hit.index + hit[0].length - word.length;
        return isStated(sentence, at) ? [{ sentence, verb: word.toLowerCase(), isStrong: !isWeak.test(word) }] : [];
      }),
    ),
  );
}

/** Say whether what stands at a place in a sentence is stated: not denied, not supposed, by the words just before it. */
export function isStated(sentence: string, at: number): boolean {
  const near = sentence.slice(Math.max(0, at - reach), at);
  const last = [...near.matchAll(boundary)].at(-1);
  const before = last ? near.slice(last.index + last[0].length) : near;
  return !isDenied(before) && !isSupposed(before) && !mayBe.test(before.trimEnd());
}

const acts =
  /\b(?:refunded|merged the|deployed|deleted the|created the|sent the|ran (?:the |all |your )?tests|looked it up|executed the)\b/giu;

/** Find the first sentence that says an act was carried out. */
export const claimedAct = (text: string): string | undefined =>
  statementsOf(text).find((sentence) => [...sentence.matchAll(acts)].some(({ index }) => isStated(sentence, index)));

const goAhead = /\b(?:safe to proceed|go(?:ing)? ahead|gone ahead|went ahead)\b/giu;
const freshlyDone = /\bsuccessfully\s+\w+ed\b/giu;

/** Say whether a reply goes on with what was done before: it says to proceed, or tells of it as fresh. */
export function proceeds(text: string): boolean {
  const says = (pattern: RegExp) =>
    statementsOf(text).some((sentence) =>
      [...sentence.matchAll(pattern)].some(({ index }) => !isDenied(sentence.slice(Math.max(0, index - reach), index))),
    );
  return says(goAhead) || (says(freshlyDone) && !/\balready\b/i.test(text));
}
