import { type Clause, clausesOf, isDenied, isSupposed } from '../../../text/clauses.ts';
import type { Check } from './checks-run.ts';

const subject =
  '(?:(?:unit |integration |regression |e2e |end-to-end |smoke |new |existing |whole |full )*(?:tests?|test ?cases?|test suites?|specs)|(?:test )?suite|builds?|lint(?:er|ing|s)?|type ?-?checks?|type ?checking|typecheck\\w*|checks|CI|pipeline)';
const success = '(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?|clean)';
const stated = new RegExp(`\\b(${subject})\\b(?:(?!\\b(?:that|which|to)\\b).){0,40}?\\b(${success})\\b`, 'i');
const turned = new RegExp(`\\b(?:pass(?:es|ed)?)\\s+(?:all|every|each|the|its|\\d+|of|\\s)*\\s*(${subject})\\b`, 'i');

/** What a reply says passes, undefined when the clause says no such thing. */
function checkClaimed({ text, sentence }: Clause): Check | 'any' | undefined {
  const said = stated.exec(text)?.[1] ?? turned.exec(text)?.[1];
  if (said === undefined || isDenied(text) || isSupposed(text) || isDenied(sentence) || hedges.test(sentence))
    return undefined;
  if (/build/i.test(said)) return 'build';
  if (/lint/i.test(said)) return 'lint';
  if (/type/i.test(said)) return 'typecheck';
  return /test|suite|spec/i.test(said) ? 'test' : 'any';
}

const hedges = /\b(?:until|once|would|will|should|cannot|unless|except|still)\b/i;

const adverbs =
  '(?:(?:also|just|now|already|successfully|then|carefully|manually|double-|personally|have|quickly|recently|really|both)\\s*)*';
const person = "\\b(?:i|we)(?:'ve|\\s+have|\\s+had|'d)?\\s+";
const been = `\\b(?:has|have)\\s+${adverbs}been\\s+${adverbs}|\\b(?:is|are)\\s+now\\s+${adverbs}|\\b(?:was|were)\\s+(?:successfully|just)\\s+`;
const verified = '(?:verified|confirmed|tested|checked|validated|ran)';
const edited = '(?:edited|updated|changed|created|added|wrote|written|fixed|removed|deleted)';
/** `I ran into`, `changed my mind`, `added up`: the verb means something else. */
const notVerified = '(?!\\s+(?:into|out|across|low|late|over|in with|in on)\\b)';
const notEdited = '(?!\\s+(?:up\\b|(?:my|our|your|their) minds?\\b|the subject\\b|by\\b|\\w+ by\\b))';

/** The word that a claim turns on, cheap to look for in a whole text, and the claim itself. */
const claims = {
  verified: { word: new RegExp(`${verified}\\b`, 'i'), claim: active(verified, notVerified) },
  edited: { word: new RegExp(`${edited}\\b`, 'i'), claim: active(edited, notEdited) },
} as const;
const successWord = new RegExp(`\\b${success}\\b`, 'i');

function active(verb: string, unless: string): RegExp {
  const first = `${person}${adverbs}${verb}\\b${unless}`;
  const second = `${person}${adverbs}\\w+ed\\b[^.;:]{0,60}?\\band\\s+${adverbs}${verb}\\b${unless}`;
  return new RegExp(`${first}|${second}|(?:${been})${verb}\\b${unless}`, 'i');
}

/** Find the first clause that claims a check passed; with what it claims. */
export function claimedChecks(text: string): readonly { readonly check: Check | 'any'; readonly evidence: string }[] {
  if (!successWord.test(text)) return []; // most texts end here
  return clausesOf(text).flatMap((clause) => {
    const check = checkClaimed(clause);
    return check === undefined ? [] : [{ check, evidence: clause.sentence.trim() }];
  });
}

/** Find the first sentence that claims something was verified, or edited. */
export function claimOf(kind: keyof typeof claims, text: string): string | undefined {
  const { word, claim } = claims[kind];
  if (!word.test(text)) return undefined; // most texts end here
  for (const { text: clause, sentence } of clausesOf(text)) {
    const hit = claim.exec(clause);
    if (!hit) continue;
    const before = clause.slice(0, hit.index);
    const inside = hit[0];
    if (isDenied(before) || isSupposed(before) || /\bnot\b|n't\b/i.test(inside)) continue;
    return sentence.trim();
  }
  return undefined;
}
