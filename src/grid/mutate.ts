import { draw } from '../core/draws.ts';

/** How an ask is bent into a new one: the text, a draw, and for a crossover another ask. */
export type Mutator = (text: string, at?: number, other?: string) => string;

const sentencesOf = (text: string): readonly string[] => text.trim().split(/(?<=[.!?。！？])\s+/u);
const tokensOf = (text: string): string[] => text.split(/\s+/u).filter((token) => token !== '');
/** The draw as an index: whole numbers count on, fractions of 1 spread over the list. */
const indexOf = (at: number, size: number): number =>
  size === 0 ? 0 : Number.isInteger(at) ? Math.abs(at) % size : Math.floor(at * size) % size;

/** Keep the first sentence. */
export const truncate: Mutator = (text) => sentencesOf(text)[0] ?? text;

/** Leave out what points at one thing: numbers, ids, quoted names. */
export const stripSpecifics: Mutator = (text) =>
  text
    .replace(/["“][^"”]+["”]|\S*\d\S*/gu, '')
    .replace(/\s+([.,!?;:])/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim() || text;

/** First sentence of one ask, last sentence of the other. */
export const crossover: Mutator = (text, _at, other = text) =>
  `${truncate(text)} ${sentencesOf(other).at(-1) ?? ''}`.trim();

/** Ask the first thing again at the end. */
export const duplicateRequest: Mutator = (text) => `${text} ${truncate(text)}`;

/** Take it all back in the last breath. */
export const contradict: Mutator = (text, at = 0) =>
  `${text} ${['Actually no, do the opposite.', 'On second thoughts, leave it exactly as it is.', 'Wait, forget that, I meant the other one.'][indexOf(at, 3)]}`;

/** Last sentence first. */
export const reverseSentences: Mutator = (text) => sentencesOf(text).toReversed().join(' ');

/** Each sentence an item. */
export const asList: Mutator = (text) =>
  sentencesOf(text)
    .map((sentence) => `- ${sentence}`)
    .join('\n');

/** Every punctuation mark becomes one space. */
export const punctuationFree: Mutator = (text) => text.replace(/[!-/:-@[-`{-~]/gu, ' ');

/** Leave out one inner token; under four tokens nothing is left out. */
export const tokenDelete: Mutator = (text, at = 0) => {
  const tokens = tokensOf(text);
  if (tokens.length < 4) return text;
  tokens.splice(1 + indexOf(at, tokens.length - 1), 1);
  return tokens.join(' ');
};

/** Two neighbours change places; under four tokens none do. */
export const tokenSwap: Mutator = (text, at = 0) => {
  const tokens = tokensOf(text);
  if (tokens.length < 4) return text;
  const n = 1 + indexOf(at, tokens.length - 2);
  return tokens
    .with(n, tokens[n + 1] ?? '')
    .with(n + 1, tokens[n] ?? '')
    .join(' ');
};

/** Two inner letters of one word of four or more letters change places. */
export const typoTranspose: Mutator = (text, at = 0) => {
  const tokens = text.split(' ');
  const open = tokens.flatMap((token, n) => (/\p{L}{4,}/u.test(token) ? [n] : []));
  const chosen = open[indexOf(at, open.length)];
  if (chosen === undefined) return text;
  const token = (tokens[chosen] ?? '').replace(/\p{L}{4,}/u, (word) => {
    const n = 1 + indexOf(at, word.length - 3);
    return word.slice(0, n) + word.charAt(n + 1) + word.charAt(n) + word.slice(n + 2);
  });
  return tokens.with(chosen, token).join(' ');
};

/** As if somebody else had written it. */
export const quoteIt: Mutator = (text) => `Here is what I was told to send you: "${text}"`;

/** The ask as the value of a JSON payload. */
export const jsonPayload: Mutator = (text) => JSON.stringify({ request: text });

/** The person corrects themselves in the next turn. */
export const followUpCorrection: Mutator = (text, at = 0) =>
  `${text}\n<USER_TURN>\n${['Sorry, I wrote that in a hurry: check it again before you do anything.', 'Correction: only the first part of what I said counts.', 'I mixed something up there, please confirm what you understood.'][indexOf(at, 3)]}`;

/** All mutators by name, in the order in which a hash rotates through them. */
export const mutators: Readonly<Record<string, Mutator>> = {
  truncate,
  stripSpecifics,
  crossover,
  duplicateRequest,
  contradict,
  reverseSentences,
  asList,
  punctuationFree,
  tokenDelete,
  tokenSwap,
  typoTranspose,
  quoteIt,
  jsonPayload,
  followUpCorrection,
};

/**
 * Mutate a failing ask into one that differs from it: the mutator and its draw come from (seed, parent, purpose).
 * Null when none changes the text.
 *
 * @source fuzzing by mutation; house list of fourteen
 */
export function mutateAsk(
  parent: { readonly id: string; readonly text: string },
  run: { readonly seed: number; readonly others: readonly string[] },
): { readonly text: string; readonly by: string } | null {
  const names = Object.keys(mutators);
  const start = Math.floor(draw(run.seed, parent.id, 'mutator') * names.length);
  const at = draw(run.seed, parent.id, 'mutation');
  const other = run.others[Math.floor(draw(run.seed, parent.id, 'crossed with') * run.others.length)];
  for (let n = 0; n < names.length; n++) {
    const by = names[(start + n) % names.length] ?? 'truncate';
    const text = mutators[by]?.(parent.text, at, other) ?? parent.text;
    if (text.trim() !== '' && text !== parent.text) return { text, by };
  }
  return null;
}
