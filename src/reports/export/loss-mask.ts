import { TracemillError } from '../../core/errors.ts';

export const maskModes = ['assistant', 'final'] as const;
export type MaskMode = (typeof maskModes)[number];
/** What a message weighs in the loss. */
export type Weight = number | null | undefined;

/**
 * Mark the messages that are trained, one 0 or 1 for each: `assistant` all turns of the agent, `final` its last one. System,
 * user and tool messages are never trained: they are not the policy's words. Nor is a turn that weighs 0 in `weights`, which
 * holds one number for each message, or nothing where nothing was said.
 *
 * @throws TM_OPTIONS - the mode is another
 * @source rlhfbook ch. 4 and 13
 */
export function lossMask(
  messages: readonly { readonly role?: unknown }[],
  { mode = 'assistant', weights = [] }: { readonly mode?: MaskMode; readonly weights?: readonly Weight[] } = {},
): readonly (0 | 1)[] {
  if (!maskModes.includes(mode))
    throw new TracemillError(
      'TM_OPTIONS',
      `lossMask: mode must be one of ${maskModes.join(', ')}, not ${String(mode)}`,
    );
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const isTrained = (n: number) => (mode === 'assistant' || n === last) && (weights[n] ?? 1) > 0;
  return messages.map(({ role }, n) => (role === 'assistant' && isTrained(n) ? 1 : 0));
}
