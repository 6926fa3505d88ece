import type { CoverageReport } from '../../grid/coverage-report.ts';
import type { Row } from '../../rows/row.ts';
import type { SimulateSettings } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Remark } from './remark.ts';

/** Rollouts that left no row. */
export interface Counts {
  readonly lost: number;
  readonly lost_by: Readonly<Record<string, number>>;
  readonly agent_errors: number;
  readonly first_agent_error: string | null;
  readonly calls: number;
}

/** Say what did not go as asked: a word for programs, a sentence with the count and the fix for people. */
export function remarksOf(
  run: Prepared,
  settings: SimulateSettings,
  rows: readonly Row[],
  seen: { readonly counts: Counts; readonly coverage: CoverageReport },
): { readonly degraded: readonly string[]; readonly warnings: readonly Remark[] } {
  const failed = [...run.words.remarks, ...writing(run), ...failures(run, rows, seen), ...roles(run)];
  return { degraded: failed.map(([word]) => word), warnings: [...failed, ...shortfalls(run, settings, rows)] };
}

/** What the writer did not write. */
function writing({ words: { counts } }: Prepared): readonly Remark[] {
  if (!counts) return [];
  const dropped = Object.entries(counts.dropped).map(([why, n]) => `${why} ${n}`);
  const missed = Object.values(counts.dropped).reduce((sum, n) => sum + n, counts.failed);
  if (missed === 0) return [];
  const first = counts.first_error === null ? '' : `; the first error was: ${counts.first_error}`;
  return [
    [
      'generator_fallback',
      `${counts.failed} of ${counts.waves} waves of the writer failed and ${dropped.join(', ') || 'no'} asks were not taken${first}. The templates wrote those; look at the writer model.`,
    ],
  ];
}

/** One model that plays, asks and grades agrees with itself. @source rlhfbook ch. 12 */
function roles({ agent, words, after }: Prepared): readonly Remark[] {
  const player = agent.isConversational ? agent.modelVersion : undefined;
  const same = [
    ...(player !== undefined && words.writerModel === player ? ['writes the asks'] : []),
    ...(player !== undefined && agent.userModel === player ? ['plays the person'] : []),
    ...(player !== undefined && after.llm?.model === player ? ['grades it'] : []),
  ];
  if (same.length === 0) return [];
  return [
    [
      'same_model',
      `${player} plays the agent and ${same.join(' and ')}; name another with simulator, userModel and judgeModel.`,
    ],
  ];
}

/** What went wrong while rollouts were played. */
function failures(
  { tools }: Prepared,
  rows: readonly Row[],
  { counts, coverage }: { readonly counts: Counts; readonly coverage: CoverageReport },
): readonly Remark[] {
  const { agent_errors, first_agent_error, lost, lost_by } = counts;
  const reasons = Object.entries(lost_by).map(([reason, count]) => `${reason} ${count}`);
  const called = (row: Row) => (row.steps ?? []).some((step) => typeof step['tool'] === 'string');
  const dead = coverage.dead_tools;
  const all: readonly (readonly [isSo: boolean, ...Remark])[] = [
    [
      agent_errors > 0,
      'agent_errors',
      `The agent failed ${agent_errors} times, first with: ${first_agent_error ?? 'no text'}. Fix it and run again.`,
    ],
    [
      (lost_by['abandoned'] ?? 0) > 0,
      'rollouts_abandoned',
      `${lost_by['abandoned'] ?? 0} rollouts were still played when the clock ended; raise timeBudget or stopGrace.`,
    ],
    [
      lost > 0,
      'rollouts_lost',
      `${lost} rollouts were lost (${reasons.join(', ')}) and are no rows; fix the agent and run again.`,
    ],
    [
      tools.length > 0 && rows.length > 0 && !rows.some(called),
      'no_tool_calls',
      `None of ${rows.length} rows calls a tool; give the agent its tools.`,
    ],
    [
      dead.length > 0,
      'dead_tools',
      `${dead.length} tools almost never answered: ${dead.join(', ')}. Look at their arguments.`,
    ],
  ];
  return all.flatMap(([isSo, word, sentence]) => (isSo ? [[word, sentence] as const] : []));
}

/** What was asked for and not reached. */
function shortfalls(
  { pinned, seeds, k, planned, words }: Prepared,
  settings: SimulateSettings,
  rows: readonly Row[],
): readonly Remark[] {
  const covered = Math.max(1, Math.floor(settings.rows / k));
  const dropped = pinned ? 0 : Math.max(0, seeds.length - covered);
  const { clauses_found, axes } = planned.plan;
  const clauses = axes.rule.length;
  const hard = rows.filter((row) => row['tier'] !== 'ordinary').length / Math.max(1, rows.length);
  const missed = rows.length >= 20 && !pinned && settings.hardShare - hard > 0.1;
  const ignored = notDelivered(settings, words.write !== undefined);
  const all: readonly (readonly [isSo: boolean, ...Remark])[] = [
    [
      dropped > 0,
      'seeds_dropped',
      `${dropped} of ${seeds.length} seeds were dropped: ${settings.rows} rows cover ${covered} seeds with ${k} rollouts each. Raise the budget.`,
    ],
    [
      !settings.dimensions && clauses_found > clauses,
      'clauses_capped',
      `${clauses} of ${clauses_found} clauses of the policy are on the grid; pin the rule axis to try the others.`,
    ],
    [
      missed,
      'hard_share_missed',
      `${Math.round(100 * hard)} % of ${rows.length} rows are hard, ${Math.round(100 * settings.hardShare)} % were asked for; more situations help.`,
    ],
    [
      ignored.length > 0,
      'options_not_delivered',
      `${ignored.length} options had no effect in this run: ${ignored.join(', ')}. Leave them out, or give what they need.`,
    ],
  ];
  return all.flatMap(([isSo, code, sentence]) => (isSo ? [[code, sentence] as const] : []));
}

/** Options that need another one to do anything: they are named, never passed over. */
function notDelivered({ llmGrade, rubric, advanced }: SimulateSettings, hasWriter: boolean): readonly string[] {
  const hasRubric = rubric !== undefined && rubric !== null;
  return [
    ...(hasRubric && !llmGrade ? ['rubric (it is for llmGrade)'] : []),
    ...(advanced.completionsPerRequest > 1 && !hasWriter ? ['completionsPerRequest (templates write)'] : []),
    ...(advanced.distinctCards === true && !hasWriter ? ['distinctCards (templates write)'] : []),
  ];
}
