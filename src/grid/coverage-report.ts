import type { Row } from '../rows/row.ts';
import type { Situation } from '../rows/situation.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import { statusOf } from './mutation-worthy.ts';
import { type PairwiseCoverage, pairwiseCoverage } from './pairwise-coverage.ts';
import { copiesNeeded, copiesRemaining, predictToSaturation } from './saturation.ts';

export interface ToolTally {
  /** Calls. */
  readonly n: number;
  /** Calls that simply answered. */
  readonly ok: number;
  readonly fault_n: number;
  /** Calls under a planned fault. */
  readonly injected: number;
}

/** What a run reached of what was planned. */
export interface CoverageReport extends Readonly<Record<string, unknown>> {
  readonly rows: number;
  readonly pairwise: PairwiseCoverage & { readonly pairs_full: number };
  readonly tools: Readonly<Record<string, ToolTally>>;
  readonly dead_tools: readonly string[];
}

/**
 * Report what the rows of a run reached of the planned situations. One pass; memory is the distinct ids.
 *
 * @source Kuhn, Wallace, Gallo (IEEE TSE 2004); Wilson 1927 for dead tools
 */
export function coverageReport(
  rows: readonly Row[],
  plan: { readonly situations: readonly Situation[]; readonly pairs_full: number },
  run: {
    readonly budget: number;
    readonly stopped_because: string;
    readonly flatRounds: number;
    readonly lastRound: number;
  } & Readonly<Record<string, unknown>>,
): CoverageReport {
  const { flatRounds, lastRound, ...facts } = run;
  const cellsOf = rows.map((row) => row['scenario_dimensions']);
  const planned = new Set(plan.situations.map(({ scenario_id }) => scenario_id));
  const counts: Record<string, number> = Object.fromEntries([...planned].map((id) => [id, 0]));
  for (const { scenario_id } of rows)
    if (typeof scenario_id === 'string' && planned.has(scenario_id))
      counts[scenario_id] = (counts[scenario_id] ?? 0) + 1;
  const seen = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const distinct = (value: (row: Row) => unknown) => new Set(rows.map(value)).size;
  const tools = toolTallies(rows);
  const curve = [{ n_rows: rows.length, stopped_because: run.stopped_because }];
  const copyDeficit = copiesRemaining(counts);
  return {
    ...facts,
    rows: rows.length,
    unique_prompts: distinct(({ prompt }) => prompt),
    unique_scenario_ids: distinct(({ scenario_id }) => scenario_id),
    unique_signatures: distinct((row) => row['behavior_signature']),
    unique_cells: Object.keys(seen).length,
    unique_shapes: distinct((row) => JSON.stringify((row.steps ?? []).map((step) => step['tool'] ?? null))),
    saturation: run.stopped_because === 'saturation',
    ...predictToSaturation(curve, {
      budget: run.budget,
      copyDeficit,
      flatStreak: flatRounds,
      lastBatchSize: lastRound,
    }),
    min_cell_copies: planned.size === 0 ? 0 : Math.min(...Object.values(counts)),
    copies_needed: copiesNeeded,
    pairwise: {
      ...pairwiseCoverage(
        plan.situations.map(({ scenario_dimensions }) => scenario_dimensions),
        cellsOf,
      ),
      pairs_full: plan.pairs_full,
    },
    tools,
    dead_tools: Object.entries(tools).flatMap(([name, tally]) => (isDead(tally) ? [name] : [])),
  };
}

const fine = new Set(['ok', 'created', 'deleted', 'success']);

function toolTallies(rows: readonly Row[]): Readonly<Record<string, ToolTally>> {
  const tallies = new Map<string, { n: number; ok: number; fault_n: number; injected: number }>();
  for (const { faults, steps } of rows) {
    const plan = faults !== null && typeof faults === 'object' ? faults : {};
    for (const { tool, result } of steps ?? []) {
      if (typeof tool !== 'string') continue;
      const tally = tallies.get(tool) ?? { n: 0, ok: 0, fault_n: 0, injected: 0 };
      tallies.set(tool, tally);
      const answered = fine.has(statusOf(result) ?? 'ok');
      tally.n++;
      tally.ok += answered ? 1 : 0;
      tally.fault_n += answered ? 0 : 1;
      tally.injected += Object.hasOwn(plan, tool) || Object.hasOwn(plan, '*') ? 1 : 0;
    }
  }
  return Object.fromEntries(tallies);
}

/** At least three calls beyond the planned faults, and even a lucky reading leaves it under 30 % of answers. */
function isDead({ n, ok, injected }: ToolTally): boolean {
  const calls = n - injected;
  const [, upper] = (calls >= 3 && wilsonInterval(Math.min(ok, calls), calls)) || [0, 1];
  return upper < 0.3;
}
