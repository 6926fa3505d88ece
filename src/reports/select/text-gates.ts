import type { JsonObject } from '../../core/json-object.ts';
import { replyOf } from '../../rows/reply.ts';

export const textGateModes = ['auto', 'require', 'skip'] as const;

/** Whether the gates that read replies run, and why. */
export interface TextGates {
  readonly mode: (typeof textGateModes)[number];
  readonly applied: boolean;
  readonly reason: string;
}

/**
 * Decide whether the gates that read replies run. A trainer's state holds tasks and rewards and no reply: there `auto`
 * leaves them off, or every row would be junk.
 */
export function textGatesFor(rows: readonly JsonObject[], mode: TextGates['mode']): TextGates {
  if (mode === 'require') return { mode, applied: true, reason: 'asked for' };
  if (mode === 'skip') return { mode, applied: false, reason: 'switched off' };
  const isThere = rows.length === 0 || rows.some(hasReply);
  return { mode, applied: isThere, reason: isThere ? 'rows carry replies' : 'no row carries a reply' };
}

function hasReply(row: JsonObject): boolean {
  const { finalText, calls, turns } = replyOf(row);
  return calls.length > 0 || finalText.trim() !== '' || turns.some((text) => text.trim() !== '');
}
