import { canonicalJson } from '../../core/canonical-json.ts';
import { foldText } from '../../text/fold.ts';
import type { Episode } from './episode.ts';

const spokenTwice = 24; // characters; a shorter `One moment, please.` may come again
const asksForMore =
  /\b(?:twice|(?:two|three|four|five|several|many|\d+) times|each time|every time|repeat\w*)\b|(?:^|\s)(?:[2-9]|[1-9]\d)[.)](?=\s)|\bstep\s+(?:[2-9]|[1-9]\d)\b/i;

export type Repeat = 'repeated_reply' | 'repeated_call' | 'repeated_call_3';

/** Find what an agent did again though nobody asked for it: the same words, the same call with the same answer, the same call thrice. */
export function repeatIn({ acts, turns, asked }: Episode): Repeat | undefined {
  if (asksForMore.test(asked)) return undefined;
  if (mostOf(turns.map(foldText).filter((text) => text.length >= spokenTwice)) > 1) return 'repeated_reply';
  const answered = acts.filter(({ outcome, result }) => outcome !== 'fault' && result !== undefined);
  if (mostOf(answered.map(({ key, result }) => `${key}\n${canonicalJson(result)}`)) > 1) return 'repeated_call';
  return mostOf(acts.map(({ key }) => key)) > 2 ? 'repeated_call_3' : undefined;
}

/** How often the most frequent of the texts comes. */
function mostOf(texts: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
