import type { Item } from '../item.ts';
import { sameItem } from '../same-item.ts';

/** An item and when it was known: what a model was given at the start of its span, what it answered at the end. */
export interface TimedItem {
  readonly item: Item;
  readonly time: bigint | undefined;
}

/** One span's part in a conversation. */
export interface Turn {
  readonly trace: string;
  readonly input: readonly TimedItem[];
  readonly output: readonly TimedItem[];
}

/**
 * Merge what spans say, in time order, into one history. Each request repeats the history before it, in whole, in part,
 * or rewritten: what is known is not told again, what is new is added, and a view of the same conversation that differs
 * replaces ours. Nothing is dropped for its text alone: a user may say yes twice.
 *
 * @source house rule
 */
export function mergeTurns(turns: readonly Turn[]): TimedItem[] {
  let history: TimedItem[] = [];
  const told = new Set<string>();
  for (const { trace, input, output } of turns) {
    if (!(told.has(trace) && isWithin(input, history))) history = joined(history, input);
    history.push(...output);
    told.add(trace);
  }
  return history;
}

function joined(history: readonly TimedItem[], input: readonly TimedItem[]): TimedItem[] {
  for (let known = Math.min(history.length, input.length); known > 0; known--)
    if (agree(history, history.length - known, input, known)) return [...history, ...input.slice(known)];
  const [ours, theirs] = [firstAsk(history), firstAsk(input)];
  if (input.length > 1 && ours && theirs && sameItem(ours, theirs)) return [...input];
  return [...history, ...input];
}

function isWithin(input: readonly TimedItem[], history: readonly TimedItem[]): boolean {
  for (let from = 0; from + input.length <= history.length; from++)
    if (agree(history, from, input, input.length)) return true;
  return false;
}

function agree(history: readonly TimedItem[], from: number, input: readonly TimedItem[], length: number): boolean {
  for (let n = 0; n < length; n++) {
    const [ours, theirs] = [history[from + n], input[n]];
    if (!ours || !theirs || !sameItem(ours.item, theirs.item)) return false;
  }
  return true;
}

const firstAsk = (items: readonly TimedItem[]) => items.find(({ item }) => item.kind === 'user')?.item;
