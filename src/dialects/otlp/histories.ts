import { copyOfCall, type Item } from '../item.ts';
import { sameItem } from '../same-item.ts';

/** An item and when it was known: what a model was given at the start of its span, what it answered at the end. */
export interface TimedItem {
  readonly item: Item;
  readonly time: bigint | undefined;
}

/** One span's part in a conversation: what it was given and when, what it answered and when. Turns may share items. */
export interface Turn {
  readonly trace: string;
  readonly input: readonly Item[];
  readonly start: bigint | undefined;
  readonly output: readonly Item[];
  readonly end: bigint | undefined;
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
  for (const { trace, input, start, output, end } of turns) {
    if (!(told.has(trace) && isWithin(input, history))) {
      const known = knownOf(input, history);
      if (known === 0 && replaces(input, history)) history = [];
      tell(history, input, known, start);
    }
    tell(history, output, 0, end);
    told.add(trace);
  }
  return history;
}

/** Each telling is an item of its own: a call that was made twice has two answers. What was only said is told as it is. */
function tell(history: TimedItem[], items: readonly Item[], from: number, time: bigint | undefined): void {
  for (let n = from; n < items.length; n++) {
    const item = items[n] as Item; // within the items
    const own = item.kind === 'call' ? copyOfCall(item) : item.kind === 'result' ? { ...item } : item;
    history.push({ item: own, time });
  }
}

/** How many items at the end of the history the input begins with. */
function knownOf(input: readonly Item[], history: readonly TimedItem[]): number {
  for (let known = Math.min(history.length, input.length); known > 0; known--)
    if (agree(history, history.length - known, input, known)) return known;
  return 0;
}

function replaces(input: readonly Item[], history: readonly TimedItem[]): boolean {
  const [ours, theirs] = [history.find(({ item }) => item.kind === 'user'), input.find(({ kind }) => kind === 'user')];
  return input.length > 1 && ours !== undefined && theirs !== undefined && sameItem(ours.item, theirs);
}

function isWithin(input: readonly Item[], history: readonly TimedItem[]): boolean {
  for (let from = 0; from + input.length <= history.length; from++)
    if (agree(history, from, input, input.length)) return true;
  return false;
}

function agree(history: readonly TimedItem[], from: number, input: readonly Item[], length: number): boolean {
  for (let n = 0; n < length; n++) {
    const ours = history[from + n];
    if (!ours || !sameItem(ours.item, input[n])) return false;
  }
  return true;
}
