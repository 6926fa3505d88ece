import type { Remark } from '../../core/remarks.ts';
import type { DuplicatesReport } from './dedupe-groups.ts';
import type { HackScan } from './hack/hack-scan.ts';
import type { lengthReport } from './length-report.ts';
import type { nearDuplicatePrompts } from './near-duplicate-prompts.ts';
import type { rewardCorrelations } from './reward-correlations.ts';

/** What the hygiene reports of one set say. */
export interface Hygiene {
  readonly duplicates: DuplicatesReport;
  readonly near_duplicate_prompts: ReturnType<typeof nearDuplicatePrompts>;
  readonly length: ReturnType<typeof lengthReport>;
  readonly correlations: ReturnType<typeof rewardCorrelations>;
  /** Null when the set was not scanned. */
  readonly hack_scan: HackScan | null;
}

/** Say what the hygiene reports found, in words. */
export function hygieneRemarks({ duplicates, near_duplicate_prompts: near, length, correlations, hack_scan }: Hygiene) {
  const flagged = Object.entries(correlations.flagged);
  const found: readonly (readonly [boolean, string, string])[] = [
    [
      duplicates.n_dropped > 0,
      'duplicates',
      `${duplicates.n_dropped} of ${duplicates.n} rows repeat another on the same ask, ${duplicates.conflicting_rewards} with the other reward`,
    ],
    [
      near.n_pairs > 0,
      'near_duplicate_asks',
      `${near.n_prompts_involved} of ${near.n_prompts} prompts say nearly the same as another`,
    ],
    [length.n_truncated > 0, 'truncated_rollouts', `${length.n_truncated} of ${length.n} rollouts were cut off`],
    [
      length.n_groups_wide_spread > 0,
      'wide_length_spread',
      `in ${length.n_groups_wide_spread} of ${length.n_groups_multi} tasks one reply is more than ${length.max_spread} times the median`,
    ],
    [
      flagged.length > 0,
      'reward_correlation',
      `the reward goes along with ${flagged.map(([name, r]) => `${name} (${r})`).join(', ')}: read the hack scan for what it pays within a task`,
    ],
  ];
  const scanned = (hack_scan?.warnings ?? []).map(
    (text, n): Remark => ({ code: hack_scan?.warning_codes[n] ?? '', text }),
  );
  return [...found.flatMap(([holds, code, text]): Remark[] => (holds ? [{ code, text }] : [])), ...scanned];
}
