import type { z } from 'zod';
import { type Fold, foldRows } from '../../core/fold.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { namelessWords } from '../nameless.ts';
import { round } from '../round.ts';
import type { RunConfig } from '../run-config.ts';
import { type Balanced, balanceRollouts } from './balance.ts';
import { comparability } from './comparable.ts';
import { figuresOf, named } from './figures.ts';
import type { Floors } from './floors.ts';
import type { GroupDelta } from './groups.ts';
import { headlineReason } from './headline-reason.ts';
import type { MetricDelta } from './metrics.ts';
import { type DeltaSettings, deltaListOptions, deltaOptions } from './options.ts';
import type { ProxyDelta } from './proxy.ts';
import type { Room } from './room.ts';
import { type Side, sideFold } from './state.ts';
import type { Unjudged } from './unjudged.ts';
import { type HeadlineVerdict, headlineVerdict, movement, type TargetVerdict } from './verdict.ts';
import { deltaWarnings } from './warnings.ts';

/** A row before or after the change. */
export interface Dated {
  readonly side: 'before' | 'after';
  readonly row: unknown;
}

/** What a change did, and whether a gate may let it pass. Shares from 0 to 1; null is not measured. */
export interface DeltaReport extends ProxyDelta, Room {
  /** False when a guard fell or was not measured, the target fell or was not measured, or the runs are incomparable. */
  readonly ok: boolean;
  readonly headline_verdict: HeadlineVerdict;
  /** Why: one sentence without its end. */
  readonly headline_reason: string;
  readonly not_comparable: readonly string[];
  readonly target: string | null;
  readonly target_verdict: TargetVerdict | null;
  readonly target_delta: number | null;
  readonly target_ci95: MetricDelta['ci95'];
  readonly n_metrics: number;
  /** Probability of at least one false finding among the metrics, 4 digits. */
  readonly family_error: number;
  readonly n_paired_tasks: number;
  readonly n_unpaired_tasks: number;
  readonly improved: readonly string[];
  /** Guards that fell. */
  readonly regressions: readonly string[];
  /** Metrics that are no guard and fell. */
  readonly slipped: readonly string[];
  readonly within_noise: readonly string[];
  /** Re-run noise of the headline metric, of every metric, and where it came from. */
  readonly run_std: number | null;
  readonly run_std_by_metric: Readonly<Record<string, number | null>>;
  readonly run_std_source: Floors['source'];
  readonly noise_band: number | null;
  readonly noise_rule: string;
  readonly eval_runs: Floors['runs'];
  readonly replicated: boolean;
  readonly degenerate_guards: readonly string[];
  readonly guards_not_measured: readonly string[];
  readonly guard_rule: string;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
  readonly by: string | null;
  readonly groups: Readonly<Record<string, GroupDelta>>;
  readonly groups_down: readonly string[];
  readonly config: { readonly before: RunConfig; readonly after: RunConfig };
  readonly balanced: Balanced | null;
  readonly unjudged: Unjudged | null;
  readonly n_rows: { readonly before: number; readonly after: number };
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/**
 * Report what a change did to every metric, against re-run noise, and whether a gate may let it pass. A guard that is not
 * measured fails it, and so does a target without a value.
 *
 * Cost: three look-ups a row and one a marker; memory: a few numbers for each task and metric.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 14 and 16; Miller 2024, arXiv 2411.00640 (paired differences)
 */
export function deltaReport(
  before: Iterable<unknown>,
  after: Iterable<unknown>,
  config: z.input<typeof deltaListOptions> = {},
): DeltaReport {
  const { balanceRollouts: isBalanced, ...given } = parseOptions('deltaReport', deltaListOptions, config);
  const fold = sideFold(given);
  if (!isBalanced) return report(foldRows(fold, before), foldRows(fold, after), given, null);
  const trimmed = balanceRollouts(before, after, given.seed);
  return report(foldRows(fold, trimmed.before), foldRows(fold, trimmed.after), given, trimmed.balanced);
}

/** `deltaReport` a row at a time, mergeable. Rows delivered twice must be dropped before. */
export function deltaFold(
  config: z.input<typeof deltaOptions> = {},
): Fold<Dated, { readonly before: Side; readonly after: Side }, DeltaReport> {
  const given = parseOptions('deltaReport', deltaOptions, config);
  const fold = sideFold(given);
  return {
    start: () => ({ before: fold.start(), after: fold.start() }),
    add: (state, { side, row }) => fold.add(state[side], row),
    merge(into, from) {
      fold.merge(into.before, from.before);
      fold.merge(into.after, from.after);
    },
    end: ({ before, after }) => report(before, after, given, null),
  };
}

function report(before: Side, after: Side, given: DeltaSettings, balanced: Balanced | null): DeltaReport {
  const figures = figuresOf(before, after, given);
  const { headline, metrics, floors, targetVerdict, target, room, proxy } = figures;
  const comparable = comparability(before, after, headline, given);
  const isMeasured = headline.n_rows_a > 0 && headline.n_rows_b > 0 && targetVerdict !== 'target_not_measured';
  const isClean = figures.regressions.length === 0 && figures.missing.length === 0 && !proxy.over_optimized;
  const ok = isMeasured && isClean && targetVerdict !== 'moved_the_wrong_way' && !comparable.isFatal;
  const verdict = headlineVerdict(ok, !comparable.isFatal, targetVerdict ?? movement(headline));
  const shown = target === null ? null : (metrics.get(target) ?? null);
  return {
    ok,
    headline_verdict: verdict,
    headline_reason: headlineReason(verdict, figures, comparable.reasons),
    not_comparable: comparable.reasons,
    target,
    target_verdict: targetVerdict,
    target_delta: shown?.delta ?? null,
    target_ci95: shown?.ci95 ?? null,
    n_metrics: metrics.size,
    family_error: figures.familyError,
    n_paired_tasks: headline.n_paired,
    n_unpaired_tasks: headline.n_only_a + headline.n_only_b,
    improved: figures.improved,
    regressions: figures.regressions,
    slipped: figures.slipped,
    within_noise: named(metrics, ({ within_noise }) => within_noise),
    run_std: headline.run_std,
    run_std_by_metric: Object.fromEntries([...metrics].map(([metric, { run_std }]) => [metric, run_std])),
    run_std_source: floors.source,
    noise_band: headline.noise_band,
    noise_rule: 'A delta below the 95 % band of re-run noise is no change: q s sqrt(1/runs before + 1/runs after).',
    eval_runs: floors.runs,
    replicated: headline.noise_band !== null,
    ...room,
    degenerate_guards: named(metrics, ({ guarded, degenerate }) => guarded && degenerate),
    guards_not_measured: figures.missing,
    guard_rule: guardRule(given),
    ...proxy,
    metrics: Object.fromEntries(metrics),
    by: figures.by,
    groups: figures.groups,
    groups_down: figures.groupsDown,
    config: comparable.config,
    balanced,
    unjudged: figures.unjudged,
    n_rows: { before: before.tally.rows, after: after.tally.rows },
    ...asWarnings([
      ...deltaWarnings(figures),
      ...nameless(before, after),
      ...trimming(balanced),
      ...comparable.warnings,
    ]),
  };
}

function guardRule({ guardCorrection, mustNotRegress }: DeltaSettings): string {
  if (guardCorrection === 'holm') return 'The guards are tested at 0.05 together (Holm).';
  const guards = new Set(mustNotRegress).size;
  const chance = round(1 - 0.975 ** guards, 2); // only a fall fails: one side of 0.05
  const said = guards < 2 ? '' : ` ${guards} guards fail a change that is none with a chance of about ${chance}.`;
  return `Each guard is tested at 0.05 by itself.${said}`;
}

function nameless(...sides: readonly Side[]): Remark[] {
  const rows = sides.reduce((sum, { passes }) => sum + (passes.tasks.get('')?.rows ?? 0), 0);
  return rows > sides.length ? [{ code: 'no_task', text: namelessWords(rows) }] : [];
}

function trimming(balanced: Balanced | null): Remark[] {
  if (balanced === null || balanced.tasks_trimmed === 0) return [];
  const { before, after } = balanced.rows_dropped;
  return [
    {
      code: 'balanced_dropped',
      text: `${balanced.tasks_trimmed} tasks were trimmed: ${before} rows before and ${after} after.`,
    },
  ];
}
