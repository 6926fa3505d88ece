import type { RolloutCounts } from '../../agents/rollout-watch.ts';
import { TracemillError } from '../../core/errors.ts';
import { untilOf } from '../../grid/adaptive-plan.ts';
import { type CoverageReport, coverageReport } from '../../grid/coverage-report.ts';
import type { Landed } from '../../grid/planner/planner.ts';
import type { Row } from '../../rows/row.ts';
import type { SimulateSettings } from './options.ts';
import type { PlannedRun } from './planned-runs.ts';
import type { Prepared } from './prepare.ts';
import { type Counts, remarksOf } from './remarks.ts';

/** What a run leaves beside its rows. */
export interface SimulateResult {
  readonly rows: readonly Row[];
  /** One word: budget, situations_exhausted, tasks_done, saturation, time_budget, agent_failed, empty_replies ... */
  readonly stopped_because: string;
  /** What did not go as asked, in words of a list. */
  readonly degraded: readonly string[];
  /** Sentences that name the count and the fix; `warning_codes` beside them. */
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
  readonly search: Readonly<Record<string, unknown>>;
  readonly coverage: CoverageReport;
}

/** One run of the task set, played: what became of each ask, in the order in which they were decided. */
export interface PlayedRun extends PlannedRun {
  readonly landed: readonly Landed[];
  readonly stopped_because: string;
}

/** Gather what the runs left. */
export function resultOf(
  run: Prepared,
  settings: SimulateSettings,
  played: readonly PlayedRun[],
  watch: RolloutCounts,
): SimulateResult {
  const rows = played.flatMap(rowsOf);
  const last = played.at(-1);
  if (!last) throw new TracemillError('TM_OPTIONS', 'runs: at least one'); // the schema asks for it
  const stopped_because = settings.rows === 0 ? 'budget' : last.stopped_because;
  const counts = countsOf(played, watch);
  const state = last.planner.state();
  const { topology } = settings;
  const coverage = coverageReport(rows, run.planned, {
    budget: settings.rows,
    stopped_because,
    flatRounds: state.flatRounds,
    lastRound: state.lastRound,
    unique: topology.unique_situations,
    unique_situations: topology.unique_situations,
    repeats: run.k,
    mode: topology.mode,
    repeat_policy: topology.repeat_policy,
    until: untilOf(settings.until),
    rollouts_requested: requested(run, settings),
    rollouts_completed: rows.length,
    rollouts_lost: counts.lost,
    rollouts_lost_by: counts.lost_by,
    rollouts_over_cap: 0,
    n_situations: last.prompts.opened,
    requests_per_situation: topology.n_req,
    rollouts_per_request: run.k,
  });
  const remarks = remarksOf(run, settings, rows, { counts, coverage });
  return {
    rows,
    stopped_because,
    degraded: remarks.degraded,
    warnings: remarks.warnings.map(([, sentence]) => sentence),
    warning_codes: remarks.warnings.map(([code]) => code),
    search: searchOf(run, settings, played, counts),
    coverage,
  };
}

const requested = ({ pinned, k }: Prepared, { rows, situations, topology, runs }: SimulateSettings): number =>
  pinned ? pinned.tasks.length * k * runs : situations ? Math.min(rows, situations * topology.n_req * k) : rows;

/** The rows of a run; those of groups that the budget cut say so. */
const rowsOf = ({ landed, planner }: PlayedRun): readonly Row[] =>
  landed.flatMap(({ ask, row }) => (row ? [planner.isCut(ask) ? { ...row, group_cut: true } : row] : []));

/** Rollouts without a row, by reason. Those of which the agent said nothing took too long. */
function countsOf(
  played: readonly PlayedRun[],
  { lost_by, rerolled_by, first_agent_error, calls }: RolloutCounts,
): Counts {
  const lost = played.reduce((sum, { landed }) => sum + landed.filter(({ row }) => !row).length, 0);
  const known = Object.values(lost_by).reduce((sum, n) => sum + n, 0);
  return {
    lost,
    lost_by: lost > known ? { ...lost_by, timeout: lost - known } : lost_by,
    agent_errors: (lost_by['agent_error'] ?? 0) + (rerolled_by['agent_error'] ?? 0),
    first_agent_error,
    calls,
  };
}

function searchOf(run: Prepared, settings: SimulateSettings, played: readonly PlayedRun[], counts: Counts) {
  const [first] = played;
  const groups = first?.planner.groups();
  const dropped = run.seeds.slice(run.pinned ? run.seeds.length : (first?.firstAsks.length ?? 0));
  const ran = new Set(played.flatMap((one) => rowsOf(one).map(({ prompt }) => prompt)));
  const missing = run.pinned?.tasks.filter(({ prompt }) => !ran.has(prompt)).map(({ prompt }) => prompt) ?? [];
  return {
    arm_weights: first?.planner.state().weights,
    calls: counts.calls,
    agent_errors: counts.agent_errors,
    first_agent_error: counts.first_agent_error,
    ...(groups && { groups }),
    ...(dropped.length > 0 && { seeds_dropped: dropped }),
    ...run.aim?.report,
    ...(run.words.counts && { writer: { model: run.words.writerModel, ...run.words.counts } }),
    ...(run.words.amplification && { seed_amplification: run.words.amplification }),
    ...(run.pinned && {
      pinned_tasks: {
        prompts: run.pinned.tasks.length,
        tasks: run.pinned.tasks.length,
        ran: run.pinned.tasks.length - missing.length,
        missing: missing.slice(0, 20),
      },
    }),
    ...(run.pinned &&
      settings.runs > 1 && {
        eval_runs: {
          runs: settings.runs,
          per_run: played.map((one) => ({ rows: rowsOf(one).length, stopped_because: one.stopped_because })),
        },
      }),
  };
}
