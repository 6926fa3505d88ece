import type { Item } from '../item.ts';
import { itemsOfMessages } from '../message-items.ts';
import type { SpanView } from '../otlp/span-view.ts';
import { sameItem } from '../same-item.ts';

/** What one span says of the conversation: what the model was given, and what it answered. */
export interface Exchange {
  readonly system: readonly Item[];
  readonly input: readonly Item[];
  readonly output: readonly Item[];
  /** Why the model stopped, in the words of its provider. */
  readonly finish?: string | undefined;
  /** A message attribute was cut at a length limit: what stood before the cut was read. */
  readonly isCut?: boolean;
}

/** One way of writing messages on a span. Adding one is adding a file and its line in the table. */
export interface SpanDialect {
  readonly name: string;
  /** Read what the span carries in this dialect; undefined when it carries nothing. */
  readonly read: (span: SpanView) => Exchange | undefined;
}

/**
 * Make an exchange of the messages a model was given and those it answered with. House text is taken out of the input;
 * a user's words in an output are ignored; an output that repeats the whole input, as graph states do, loses it.
 */
export function exchangeOf(
  given: readonly unknown[],
  answered: readonly unknown[],
  more: Pick<Exchange, 'finish' | 'isCut'> = {},
): Exchange | undefined {
  const read = itemsOfMessages(given, 'user');
  const output = itemsOfMessages(answered, 'assistant');
  return exchange(read, output, more);
}

/** The same, of messages that are read already. */
export function exchange(
  read: readonly Item[],
  answered: readonly Item[],
  more: Pick<Exchange, 'finish' | 'isCut'> = {},
): Exchange | undefined {
  if (read.length === 0 && answered.length === 0) return undefined;
  const input = read.some(isSystem) ? read.filter((item) => !isSystem(item)) : read;
  const told = answered.filter((item) => !isSystem(item));
  const repeats = input.length > 0 && input.every((item, n) => sameItem(item, told[n]));
  const output = (repeats ? told.slice(input.length) : told).filter(({ kind }) => kind !== 'user');
  const system = input === read ? none : read.filter(isSystem);
  return { system, input, output, finish: more.finish, isCut: more.isCut === true };
}

const isSystem = ({ kind }: Item) => kind === 'system';
const none: readonly Item[] = [];
