import type { CoverageReport } from '../../grid/coverage-report.ts';
import type { Row } from '../../rows/row.ts';
import type { SimulateSettings } from './options.ts';
import type { Prepared } from './prepare.ts';

/** Rollouts that left no row. */
export interface Counts {
  readonly lost: number;
  readonly lost_by: Readonly<Record<string, number>>;
  readonly agent_errors: number;
  readonly first_agent_error: string | null;
  readonly calls: number;
}

type Remark = readonly [code: string, sentence: string];

/** Say what did not go as asked: a word for programs, a sentence with the count and the fix for people. */
export function remarksOf(
  run: Prepared,
  settings: SimulateSettings,
  rows: readonly Row[],
  seen: { readonly counts: Counts; readonly coverage: CoverageReport },
): { readonly degraded: readonly string[]; readonly warnings: readonly Remark[] } {
  const failed = failures(run, rows, seen);
  return { degraded: failed.map(([word]) => word), warnings: [...failed, ...shortfalls(run, settings, rows)] };
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
  { pinned, seeds, k, planned, lacksConduct }: Prepared,
  settings: SimulateSettings,
  rows: readonly Row[],
): readonly Remark[] {
  const covered = Math.max(1, Math.floor(settings.rows / k));
  const dropped = pinned ? 0 : Math.max(0, seeds.length - covered);
  const { clauses_found, axes } = planned.plan;
  const clauses = axes.rule.length;
  const hard = rows.filter((row) => row['tier'] !== 'ordinary').length / Math.max(1, rows.length);
  const missed = rows.length >= 20 && !pinned && settings.hardShare - hard > 0.1;
  const ignored = [...notDelivered(settings), ...(lacksConduct ? ['grade'] : [])];
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
      `${ignored.length} options had no effect in this run: ${ignored.join(', ')}. Leave them out, or use a client that serves them.`,
    ],
  ];
  return all.flatMap(([isSo, code, sentence]) => (isSo ? [[code, sentence] as const] : []));
}

/** Options that only clients around the engine can serve: files, models that write, judges that read rubrics. */
const servedOutside = ['spec', 'llmGrade', 'rubric', 'output', 'checkpoint', 'onProgress', 'steeringWeight'] as const;

function notDelivered(settings: SimulateSettings): readonly string[] {
  const plain = servedOutside.filter(
    (name) => settings[name] !== undefined && settings[name] !== null && settings[name] !== false,
  );
  return [
    ...plain,
    ...(settings.opening === 'user' || settings.opening === 0 ? [] : ['opening']),
    ...(settings.simulator ? ['simulator'] : []),
  ];
}
