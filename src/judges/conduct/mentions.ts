import { foldText } from '../../text/fold.ts';

const run = /\p{N}+|[\p{L}\p{M}]+|[^\p{N}\p{L}\p{M}\s_-]+/gu;

/**
 * Say whether one of the texts names a value: as it is, without a leading `#`, or with spaces, `_` and `-` where it has others
 * or none. A value is not found within a longer number or word: `234` is not in `12345`, `2378156` is in `W2378156`.
 */
export function mentions(texts: readonly string[], value: string): boolean {
  const runs = foldText(value).replace(/^#/, '').match(run);
  if (!runs) return true;
  const [first = '', last = ''] = [runs[0], runs.at(-1)];
  const named = new RegExp(`${edge(first, '<!')}${runs.map(escaped).join('[\\s_-]*')}${edge(last, '!')}`, 'u');
  return texts.some((text) => named.test(foldText(text)));
}

/** Two digits or two letters side by side are one number or one word. */
function edge(beside: string, look: '<!' | '!'): string {
  if (/\p{N}/u.test(beside)) return `(?${look}\\p{N})`;
  return /[a-z]/.test(beside) ? `(?${look}[a-z])` : '';
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
