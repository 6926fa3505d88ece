import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { groupLabel } from '../../rows/label.ts';
import { replyOf } from '../../rows/reply.ts';
import { isJunk } from './junk.ts';
import { wantsTool } from './wants-tool.ts';

export const gateOptions = {
  hasTools: z.boolean().default(true).describe('The agent has tools; false turns the do-nothing gate off.'),
};
const options = z.strictObject({
  ...gateOptions,
  textGates: z.boolean().default(true).describe('Read the reply; false leaves the label gate alone.'),
});

export type DropReason = 'incomplete_junk' | 'do_nothing' | 'unusable_label';

/**
 * Say why a row cannot be trained on, null when it can: junk, an ungraded row that did nothing where a tool was wanted, or
 * no 0/1 label. A zero that a person or a trusted judge confirmed stays as long as there is something in it to learn from.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 7; the list of junk is a house rule
 */
export function dropReason(row: JsonObject, given: z.input<typeof options> = {}): DropReason | null {
  return reasonToDrop(row, parseOptions('dropReason', options, given)) ?? null;
}

/** The rule, with its options read. */
export function reasonToDrop(row: JsonObject, opts: z.output<typeof options>): DropReason | undefined {
  return isVerifiedZero(row) ? undefined : gateReason(row, opts);
}

/** What the gates say of a row, the verified zero left aside. */
export function gateReason(row: JsonObject, { hasTools, textGates }: z.output<typeof options>): DropReason | undefined {
  const unlabeled = groupLabel(row) === undefined;
  if (textGates && isJunk(row)) return 'incomplete_junk';
  if (textGates && unlabeled && hasTools && replyOf(row).calls.length === 0 && wantsTool(row)) return 'do_nothing';
  return unlabeled ? 'unusable_label' : undefined;
}

const trusted = /^(?:claude|gold)/i;

/** A confirmed failure with something in it: a call, or words. */
export function isVerifiedZero(row: JsonObject): boolean {
  if (groupLabel(row) !== 0 || !trusted.test(String(row['label_source'] ?? ''))) return false;
  const { calls, finalText, turns } = replyOf(row);
  return calls.length > 0 || finalText.trim() !== '' || turns.some((text) => text !== '');
}
