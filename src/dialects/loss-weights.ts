import { conversationOf } from '../rows/conversation.ts';
import { fieldsOf, type JsonObject, numberOf } from './fields.ts';
import type { Item } from './item.ts';
import { itemsAt } from './message-items.ts';

/** What was said of the weights, by the parts that messages are built of. */
interface Weights {
  readonly opener: number | undefined;
  readonly prompt: number | undefined;
  /** One for each step, user turns too. */
  readonly steps: readonly (number | undefined)[];
  /** Of the final text, where it is no step. */
  readonly closing: number | undefined;
}

/** Read what an item weighs in the loss, undefined where nothing was said of it. */
export const weightIn = (item: Item | undefined): number | undefined =>
  item !== undefined && 'weight' in item ? item.weight : undefined;

/** Read what texts that become one weigh together: one that is not to be learnt from keeps all of them out. */
export function leastWeight(items: readonly Item[]): number | undefined {
  const given = items.map(weightIn).filter((weight) => weight !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
}

/** Read messages as `itemsOfMessages` does; each item keeps the `loss_weight` or `weight` of its message. */
export function weightedItems(messages: readonly unknown[]): Item[] {
  return messages.flatMap((message, n) => {
    const items = itemsAt(messages, n, 'user');
    const { loss_weight, weight: given } = fieldsOf(message);
    const weight = numberOf(loss_weight) ?? numberOf(given);
    return weight === undefined
      ? items
      : items.map((item): Item => (item.kind === 'result' || item.kind === 'left_out' ? item : { ...item, weight }));
  });
}

/**
 * Lay weights beside the messages that are built of a row, one for each, null where nothing was said. The agent's turns
 * and the person's are each told in the order of the row; a tool's answer is never trained and weighs nothing.
 */
export function messageWeights(row: JsonObject, weights: Weights): readonly (number | null)[] {
  const steps = Array.isArray(row['steps']) ? row['steps'] : [];
  const isUser = (n: number) => 'user' in fieldsOf(steps[n]);
  const agent = [...(row['opener'] === undefined ? [] : [weights.opener])];
  const person = [...(row['prompt'] === '' ? [] : [weights.prompt])];
  weights.steps.forEach((weight, n) => void (isUser(n) ? person : agent).push(weight));
  agent.push(weights.closing);
  return conversationOf(row).map(
    ({ role }) => (role === 'assistant' ? agent.shift() : role === 'user' ? person.shift() : undefined) ?? null,
  );
}
