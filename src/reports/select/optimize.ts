import type { JsonObject } from '../../core/json-object.ts';
import type { Account } from './account.ts';
import type { RlReport } from './rl-report.ts';
import { selectForRl } from './select-for-rl.ts';
import { selectForSft } from './select-for-sft.ts';
import type { SftReport } from './sft-report.ts';

type Options =
  | ({ readonly mode: 'sft' } & Parameters<typeof selectForSft>[1])
  | ({ readonly mode: 'rl' } & Parameters<typeof selectForRl>[1]);

/**
 * Select what to train on, for supervised training or for reinforcement learning: the mode, whatever its case, is `sft`, or
 * it is `rl`.
 *
 * @throws TM_OPTIONS - an option of the selection is unknown or out of range
 * @source rlhfbook ch. 6, 7, 9
 */
export function optimize<R extends JsonObject>(
  rows: readonly R[],
  { mode, ...options }: Options,
): Account<R, (SftReport | RlReport) & { readonly mode: 'sft' | 'rl' }> {
  const isSft = String(mode).toLowerCase() === 'sft';
  const { kept, rejected, report } = isSft ? selectForSft(rows, options) : selectForRl(rows, options);
  return { kept, rejected, report: { ...report, mode: isSft ? 'sft' : 'rl' } };
}

/** Name the file that a selection of a file is written to: beside it, never over it. */
export function optimizedPath(path: string, mode: 'sft' | 'rl'): string {
  return `${path.replace(/\.jsonl?$/i, '')}.${mode}.jsonl`;
}
