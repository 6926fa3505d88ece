import { TracemillError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { oneTurn } from './pair-turns.ts';
import { trlMessages } from './trl-messages.ts';

export const trlKinds = ['training', 'completion', 'preference'] as const;
export type TrlKind = (typeof trlKinds)[number];

/**
 * Reshape samples on the OpenAI wire for TRL: conversational only, arguments as objects, the ask under `prompt_text` (a text
 * `prompt` beside messages makes TRL skip the chat template). `training` keeps `messages`; `completion` splits off the
 * agent's last turn, which TRL trains alone; `preference` makes the prompt of a pair a message list. Rows that have no such
 * turn, or one that the mask leaves out, are left out.
 *
 * @throws TM_OPTIONS - the kind is another
 * @source TRL 1.16, data utilities
 */
export function toTrl(
  rows: readonly JsonObject[],
  { kind = 'training' }: { readonly kind?: TrlKind } = {},
): readonly JsonObject[] {
  if (!trlKinds.includes(kind))
    throw new TracemillError('TM_OPTIONS', `toTrl: kind must be one of ${trlKinds.join(', ')}, not ${String(kind)}`);
  return rows.flatMap((row) => trlRow(row, kind) ?? none);
}

/** Reshape one sample; undefined when it has no turn to train. */
export function trlRow(row: JsonObject, kind: TrlKind): JsonObject | undefined {
  if (kind === 'preference') return oneTurn(row)?.row;
  const { messages, loss_mask: mask, prompt, ...rest } = row;
  const turns = trlMessages(messages);
  const ask = prompt === undefined ? {} : { prompt_text: prompt };
  if (kind === 'training') return { messages: turns, ...rest, ...ask };
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  const turn = turns[last];
  if (last < 1 || turn === undefined || (Array.isArray(mask) && mask[last] === 0)) return undefined;
  return { ...rest, ...ask, prompt: turns.slice(0, last), completion: [turn] };
}

const none: readonly JsonObject[] = [];
