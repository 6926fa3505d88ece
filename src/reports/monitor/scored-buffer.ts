import type { JsonObject } from '../../core/json-object.ts';
import { contentText } from '../../rows/content-text.ts';
import type { Scored } from '../../rows/monitor-event.ts';
import { numericOf } from '../../rows/numeric.ts';
import { type HackScan, hackScan } from '../guard/hack/hack-scan.ts';
import { promptText } from './evaluation.ts';
import type { MonitorSettings } from './options.ts';

/** The newest scored completions of each reward, as rows. */
export type ScoredBuffers = Map<string, JsonObject[]>;

/** Keep the newest `limit` completions of the reward. What has no number as its reward is skipped. */
export function keepScored(
  buffers: ScoredBuffers,
  { name = 'reward', prompts, completions, rewards }: Scored,
  limit: number,
): void {
  const rows = prompts.flatMap((prompt, at): JsonObject[] => {
    const reward = numericOf(rewards[at]);
    const completion = completions[at];
    if (reward === undefined || !Number.isFinite(reward) || completion === undefined) return [];
    return [{ prompt: promptText(prompt), ...spoken(completion), reward }];
  });
  if (limit > 0) buffers.set(name, [...(buffers.get(name) ?? []), ...rows].slice(-limit));
}

function spoken(completion: Scored['completions'][number]): JsonObject {
  if (typeof completion === 'string') return { final_text: completion };
  return { final_text: completion.map(({ content }) => contentText(content)).join(''), messages: completion };
}

/** A scan with the name of the reward it scanned. */
export interface NamedScan {
  readonly name: string;
  readonly scan: HackScan;
}

/** Scan each buffer that holds enough for what its reward pays for. Without endorsed features there is nothing to tell. */
export function scanBuffers(buffers: ScoredBuffers, settings: MonitorSettings): readonly NamedScan[] {
  const { endorsed, nPerm, scanMin, seed } = settings;
  if (endorsed.length === 0) return [];
  return [...buffers]
    .filter(([, rows]) => rows.length >= scanMin)
    .map(([name, rows]) => ({ name, scan: hackScan(rows, { endorsed, nPerm, seed }) }));
}
