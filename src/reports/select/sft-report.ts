interface Facts {
  readonly n: number;
  readonly opts: {
    readonly target: number;
    readonly select: string;
    readonly k?: number | undefined;
    readonly minReward: number;
  };
  readonly reasons: readonly string[];
  readonly n_eligible: number;
  readonly n_selected: number;
  readonly unique_behaviors: number;
  readonly behaviors_covered: number;
  readonly reward_mean_eligible: number | null;
  readonly reward_mean_selected: number | null;
  readonly eval_sourced: number;
  /** Completions of each prompt. */
  readonly completions: readonly number[];
}
const fewCompletions = 10; // rlhfbook ch. 9: published recipes draw 10 to 30 a prompt

/** Say what a selection for supervised training took, and from how much. */
export function sftReport({ n, opts, reasons, completions, ...facts }: Facts) {
  const { target, select, minReward, k = target } = opts;
  const count = (reason: string) => reasons.filter((one) => one === reason).length;
  const mean = completions.length === 0 ? 0 : completions.reduce((sum, size) => sum + size, 0) / completions.length;
  const median = completions.toSorted((a, b) => a - b)[Math.floor(completions.length / 2)] ?? 0;
  const isOverall = select.endsWith('_overall');
  return {
    n,
    ...facts,
    n_not_pass: count('not_pass'),
    n_junk: count('incomplete_junk'),
    privileged_leaks_dropped: count('privileged_leak'),
    target,
    selection: select,
    selection_effective: completions.length > 0 && median <= 1 ? 'pass_filter' : select,
    min_reward: minReward,
    ...(isOverall ? { k } : {}),
    completions_per_prompt_max: completions.reduce((most, size) => Math.max(most, size), 0),
    completions_per_prompt_mean: Math.round(mean * 100) / 100,
    completions_per_prompt_median: median,
    prompts_with_one_completion: completions.filter((size) => size === 1).length,
    ...noteOf(mean),
    ...warningOf(facts.eval_sourced),
  };
}

export type SftReport = ReturnType<typeof sftReport>;

function noteOf(mean: number): { readonly note: string | null; readonly note_code: string | null } {
  if (mean === 0 || mean >= fewCompletions) return { note: null, note_code: null };
  const note = `${mean.toFixed(1)} completions a prompt on average: published recipes draw ${fewCompletions} to 30, so that there is something to choose from`;
  return { note, note_code: 'few_completions' };
}

function warningOf(sourced: number): { readonly warning: string | null; readonly warning_code: string | null } {
  if (sourced === 0) return { warning: null, warning_code: null };
  const warning = `${sourced} selected rows came from an evaluation: training on them spoils it`;
  return { warning, warning_code: 'eval_sourced_selected' };
}
