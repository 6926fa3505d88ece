import type { JsonObject } from '../../core/json-object.ts';
import type { Rejection } from '../../core/operator.ts';
import { groupSignal } from '../group-signal.ts';
import type { DuplicatesReport } from '../guard/dedupe-groups.ts';
import { hackScan } from '../guard/hack/hack-scan.ts';
import { hygieneRemarks } from '../guard/hygiene-remarks.ts';
import { lengthReport } from '../guard/length-report.ts';
import { nearDuplicatePrompts } from '../guard/near-duplicate-prompts.ts';
import { rewardCorrelations } from '../guard/reward-correlations.ts';
import type { carryCalibration } from './calibrate.ts';
import { evalSourced } from './eval-sourced.ts';
import type { chooseTasks } from './next-round.ts';
import type { Pruned, PruneReason } from './prune-tasks.ts';
import type { RlOptions } from './rl-options.ts';
import { rlRemarks } from './rl-remarks.ts';
import type { TextGates } from './text-gates.ts';

interface Facts {
  readonly opts: RlOptions;
  readonly arrived: readonly JsonObject[];
  readonly gated: readonly JsonObject[];
  readonly pruned: Pruned<JsonObject>;
  /** Rollouts that were cut off, marked or not. */
  readonly cut: ReadonlySet<JsonObject>;
  readonly kept: readonly JsonObject[];
  /** The graded rows of the selected tasks before repeats went: what the hack scan reads. */
  readonly scanned: readonly JsonObject[];
  readonly fault_kinds: Readonly<Record<string, number>>;
  readonly gates: TextGates;
  readonly prior: (ReturnType<typeof chooseTasks> & { readonly rows_dropped: number }) | null;
  readonly duplicates: DuplicatesReport | undefined;
  readonly calibration: ReturnType<typeof carryCalibration>['report'];
  readonly rejected: readonly Rejection<unknown>[];
}

/** Say what a selection for reinforcement learning kept, dropped and why, and what is wrong with what it kept. */
export function rlReport(facts: Facts) {
  const { opts, arrived, gated, pruned, kept, gates, calibration, rejected } = facts;
  const because = (reason: PruneReason) => [...pruned.dropped.values()].filter((one) => one === reason).length;
  const [collapsed, too_easy, too_hard] = [because('collapsed'), because('too_easy'), because('too_hard')];
  const duplicates = facts.duplicates ?? noDuplicates(gated.length);
  const isEmptied = kept.length === 0 && gated.length > 0;
  const found = {
    duplicates,
    length: lengthReport(kept),
    correlations: rewardCorrelations(kept),
    near_duplicate_prompts: nearDuplicatePrompts(kept.map((row) => String(row['prompt'] ?? ''))),
    hack_scan: hackScan(facts.scanned, { endorsed: opts.endorsed }),
  };
  const signal = groupSignal(kept, { lo: opts.lo, hi: opts.hi });
  const eval_sourced = evalSourced(kept).length;
  const eval_sourced_input = evalSourced(arrived).length;
  const remarks = [
    ...hygieneRemarks(isEmptied ? { ...found, hack_scan: null } : found),
    ...rlRemarks({
      isEmptied,
      gates,
      calibration,
      eval_sourced,
      eval_sourced_input,
      isWayLost: signal.pass_pow_k === null && groupSignal(arrived).pass_pow_k !== null,
      fnRate: opts.audit?.fn_rate ?? 0,
    }),
  ];
  const cutBy = (policy: string) => (opts.truncated === policy ? facts.cut.size : 0);
  return {
    n: arrived.length,
    n_after_gates: gated.length,
    n_after_trim: pruned.groups.reduce((sum, { rows }) => sum + rows.length, 0),
    unanimous_groups_dropped: because('always_solved') + because('never_solved') + collapsed,
    /** Of those whose rollouts agree as they came. */
    unanimous_groups: pruned.unanimous,
    collapsed_groups_dropped: collapsed,
    n_selected: kept.length,
    groups_selected: calibration.tasks.length,
    fault_kinds: facts.fault_kinds,
    target: opts.target,
    band: [opts.lo, opts.hi] as const,
    enforce_band: opts.enforceBand,
    band_groups_dropped: too_easy + too_hard,
    band_dropped: { too_easy, too_hard },
    prior: facts.prior && priorOf(facts.prior),
    text_gates: gates,
    privileged_leaks_dropped: rejected.filter(({ reason }) => reason === 'privileged_leak').length,
    truncated_dropped: rejected.filter(({ reason }) => reason === 'truncated').length,
    truncated_policy: opts.truncated,
    truncated_kept: cutBy('keep'),
    truncated_penalized: cutBy('penalize'),
    truncated_selected: kept.filter((row) => row['overlong'] === true).length,
    ...found,
    signal,
    eval_sourced,
    eval_sourced_input,
    calibration,
    /** How many rows went for each reason: with `n_selected` they make up all rows that came. */
    rejections: countsOf(rejected.map(({ reason }) => reason)),
    hygiene_warnings: remarks.map(({ text }) => text),
    warning_codes: remarks.map(({ code }) => code),
    audit: opts.audit ?? null,
    ...(signal.n_mixed > 0 ? { warning: null, warning_code: null } : noMixed),
  };
}

export type RlReport = ReturnType<typeof rlReport>;

const noMixed = {
  warning: 'no task in the selection has both passes and failures: a grouped update has no gradient on it',
  warning_code: 'no_mixed_groups',
} as const;

function priorOf(prior: NonNullable<Facts['prior']>) {
  const { kept, dropped_solved, dropped_unsolved, unknown, from_policy, rows_dropped, prompt_set_sha } = prior;
  return { kept, dropped_solved, dropped_unsolved, unknown, from_policy, rows_dropped, prompt_set_sha };
}

const noDuplicates = (n: number): DuplicatesReport => {
  return { n, n_kept: n, n_dropped: 0, groups_affected: 0, duplicate_rate: 0, conflicting_rewards: 0 };
};

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
