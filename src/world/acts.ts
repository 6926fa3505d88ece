import type { Entity } from './memory.ts';

/** An act that ends something: the status it leaves. */
export interface Act {
  readonly status: string;
  /** Money can move again in another amount; a booking cannot be cancelled again for another reason. */
  readonly isRepeatable: boolean;
}

const endings: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  close: 'closed',
  approve: 'approved',
  reject: 'rejected',
  decline: 'declined',
  archive: 'archived',
  deactivate: 'inactive',
  disable: 'inactive',
  suspend: 'suspended',
  terminate: 'terminated',
  complete: 'completed',
  resolve: 'resolved',
  publish: 'published',
  revoke: 'revoked',
  void: 'void',
  ship: 'shipped',
  return: 'returned',
  merge: 'merged',
  reopen: 'open',
  activate: 'active',
  enable: 'active',
  refund: 'refunded',
  pay: 'paid',
};
const money = new Set(['refund', 'pay']);

/** Read off the words of a tool's name whether it ends something, as `cancel_order` and `newsletter_cancel` do. */
export function endStatusOf(words: readonly string[]): Act | undefined {
  const verb = [words[0], words.at(-1)].find((word) => word !== undefined && Object.hasOwn(endings, word));
  return verb === undefined ? undefined : { status: String(endings[verb]), isRepeatable: money.has(verb) };
}

/** Say whether this was done before: money only when the whole call is the same. */
export const isSameAct = (act: Act, before: NonNullable<Entity['acted']>, call: string): boolean =>
  before.status === act.status && (!act.isRepeatable || before.call === call);
