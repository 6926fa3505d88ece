import { TracemillError } from '../../core/errors.ts';

export const maskModes = ['assistant', 'final'] as const;
export type MaskMode = (typeof maskModes)[number];

/**
 * Mark the messages that are trained, one 0 or 1 for each: `assistant` all turns of the agent, `final` its last one. System,
 * user and tool messages are never trained: they are not the policy's words.
 *
 * @throws TM_OPTIONS - the mode is another
 * @source rlhfbook ch. 4 and 13
 */
export function lossMask(
  messages: readonly { readonly role?: unknown }[],
  { mode = 'assistant' }: { readonly mode?: MaskMode } = {},
): readonly (0 | 1)[] {
  if (!maskModes.includes(mode))
    throw new TracemillError(
      'TM_OPTIONS',
      `lossMask: mode must be one of ${maskModes.join(', ')}, not ${String(mode)}`,
    );
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.map(({ role }, n) => (role === 'assistant' && (mode === 'assistant' || n === last) ? 1 : 0));
}
