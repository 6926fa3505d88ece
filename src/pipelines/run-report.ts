import type { z } from 'zod';
import type { RolloutCounts } from '../agents/rollout-watch.ts';
import { asWarnings, type Remark } from '../core/remarks.ts';
import { type PairwiseCoverage, pairwiseCoverage } from '../grid/pairwise-coverage.ts';
import type { Topology } from '../grid/topology.ts';
import type { Warnings } from '../judges/judge-watch.ts';
import { type PassAt, passAt } from '../reports/pass-at/index.ts';
import type { Row } from '../rows/row.ts';
import type { Situation } from '../rows/situation.ts';
import type { simulateOptions } from './simulate-stages-options.ts';

/** Why a run ended. */
export type StoppedBecause =
  | 'budget'
  | 'tasks_done'
  | 'situations_exhausted'
  | 'writer_exhausted'
  | 'agent_failed'
  | 'stopped';

/** What a run covered of what it planned. */
export interface RunCoverage {
  readonly rows: number;
  readonly unique_prompts: number;
  readonly unique_scenario_ids: number;
  readonly budget: number;
  readonly stopped_because: StoppedBecause;
  readonly pairwise: PairwiseCoverage;
  /** Pairs of the full grid, before faults were taken away and the budget cut it. */
  readonly pairs_full: number;
  readonly n_situations: number;
  readonly requests_per_situation: number;
  readonly rollouts_per_request: number;
  readonly rollouts_lost: number;
  readonly rollouts_lost_by: Readonly<Record<string, number>>;
}

export interface SimulateReport {
  readonly passAt: PassAt;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
  /** What did not work as asked, one word each. */
  readonly degraded: readonly string[];
  /** How the run was spent. */
  readonly search: Topology & RolloutCounts;
  readonly coverage: RunCoverage;
  readonly stopped_because: StoppedBecause;
}

interface Facts {
  readonly topology: Topology;
  readonly options: z.output<typeof simulateOptions>;
  readonly wanted: number;
  readonly given: number;
  readonly isPinned: boolean;
  readonly isStopped: boolean;
  readonly planned: readonly Situation[];
  readonly pairs_full: number;
  readonly rollouts: RolloutCounts;
  /** Asks that gave no row, by reason: unusable ones, and those that took too long. */
  readonly lost_by: Readonly<Record<string, number>>;
  readonly judging: Warnings;
}

/** Say what a run did, from its rows and what was counted on the way. */
export function runReport(rows: Iterable<Row>, facts: Facts): SimulateReport {
  const all = [...rows];
  const { topology, options, rollouts, lost_by } = facts;
  const lost = total(lost_by);
  const stopped_because = stopWord(all, facts);
  const own = asWarnings(remarks(facts));
  return {
    passAt: passAt(all),
    warnings: [...own.warnings, ...facts.judging.warnings],
    warning_codes: [...own.warning_codes, ...facts.judging.warning_codes],
    degraded: [
      ...(lost > 0 ? ['rollouts_lost'] : []),
      ...(rollouts.first_agent_error !== null ? ['agent_errors'] : []),
      ...(facts.judging.warning_codes.includes('no_tool_calls') ? ['no_tool_calls'] : []),
      ...(facts.judging.warning_codes.includes('dead_tool') ? ['dead_tools'] : []),
    ],
    search: { ...topology, ...rollouts, lost, lost_by },
    coverage: {
      rows: all.length,
      unique_prompts: new Set(all.map(({ prompt }) => prompt)).size,
      unique_scenario_ids: new Set(all.map(({ scenario_id }) => scenario_id)).size,
      budget: options.budget,
      stopped_because,
      pairwise: pairwiseCoverage(
        facts.planned.map(({ scenario_dimensions }) => scenario_dimensions),
        all.map((row) => row['scenario_dimensions']),
      ),
      pairs_full: facts.pairs_full,
      n_situations: facts.given,
      requests_per_situation: topology.n_req,
      rollouts_per_request: topology.k,
      rollouts_lost: lost,
      rollouts_lost_by: lost_by,
    },
    stopped_because,
  };
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0);

function stopWord(
  rows: readonly Row[],
  { isPinned, isStopped, wanted, given, options, lost_by }: Facts,
): StoppedBecause {
  if (isStopped) return 'stopped';
  if (rows.length === 0 && total(lost_by) > 0) return 'agent_failed';
  if (isPinned) return 'tasks_done';
  if (given < wanted) return 'writer_exhausted';
  return options.situations !== undefined && options.situations <= wanted ? 'situations_exhausted' : 'budget';
}

function remarks({ topology, options, rollouts, lost_by }: Facts): readonly Remark[] {
  const said: Remark[] = [];
  if (total(lost_by) > 0) {
    const by = Object.entries(lost_by).map(([reason, n]) => `${n} ${reason}`);
    const first = rollouts.first_agent_error === null ? '' : `; the first error was: ${rollouts.first_agent_error}`;
    said.push({
      code: 'rollouts_lost',
      text: `${total(lost_by)} rollouts were lost (${by.join(', ')})${first}. Raise maxTries or mend the agent`,
    });
  }
  const policy = topology.repeat_policy;
  if (topology.k > 1 && (policy === 'successive' || policy === 'adaptive'))
    said.push({
      code: 'fixed_repeats',
      text: `repeat policy ${policy} was asked for; every ask got its ${topology.k} rollouts at once. Say repeatPolicy: 'fixed' to mean it`,
    });
  if (options.budget > 0 && options.budget < topology.n_req * topology.k)
    said.push({
      code: 'budget_below_group',
      text: `a budget of ${options.budget} is less than one group of ${topology.n_req * topology.k}`,
    });
  return said;
}
