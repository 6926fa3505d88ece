import { type RolloutCounts, type RolloutWatch, rolloutWatch } from '../../agents/rollout-watch.ts';
import { systemClock } from '../../core/clock.ts';
import { idOf } from '../../core/ids.ts';
import { untilOf } from '../../grid/adaptive-plan.ts';
import { checkArmWeights } from '../../grid/arms.ts';
import { Planner } from '../../grid/planner/planner.ts';
import { Prompts } from '../../grid/planner/prompts.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Row } from '../../rows/row.ts';
import type { SimulateSettings } from './options.ts';
import { roundPlayer } from './play-round.ts';
import { firstOf, type Prepared, type SimulatePorts } from './prepare.ts';

/** One run of the task set, played. */
export interface PlayedRun {
  readonly rows: readonly Row[];
  readonly stopped_because: string;
  readonly planner: Planner;
  readonly prompts: Prompts;
  readonly watch: RolloutCounts;
  readonly firstAsks: readonly Ask[];
}

/** Play one run to its end: decide a round, play it, fold it in. `nth` counts the runs of an evaluation. */
export async function playRun(
  run: Prepared,
  settings: SimulateSettings,
  ports: SimulatePorts,
  nth: number,
): Promise<PlayedRun> {
  const { topology, rows: budget, advanced } = settings;
  const firstAsks = firstOf(run, settings, nth);
  const prompts = new Prompts(
    {
      tools: run.tools,
      seed: settings.seed,
      phrasings: topology.n_req,
      situations: settings.situations ?? undefined,
      unique: settings.uniqueSituations === true || settings.unique === true,
      mayBend: !topology.unique_situations && advanced.mutateFailures,
      onlyPlanned: untilOf(settings.until) === 'saturation',
      isTaken: run.aim?.isSource,
    },
    run.planned,
  );
  const planner = new Planner(
    {
      topology: {
        ...topology,
        k: run.k,
        k_explicit: topology.k_explicit || (run.pinned !== undefined && topology.repeat_policy !== 'successive'),
      },
      budget,
      first: firstAsks,
      onlyFirst: run.pinned !== undefined,
      armWeights: pinnedWeights(settings),
      probe: advanced.probe,
      perRound: advanced.perRound,
      until: untilOf(settings.until),
      expected: run.planned.situations.map(({ scenario_id }) => scenario_id),
      graded: Boolean(settings.grader),
    },
    prompts,
  );
  const watch = rolloutWatch();
  const play = roundPlayer(
    {
      tools: run.tools,
      systemPrompt: settings.prompt,
      concurrency: settings.concurrency,
      timeoutMs: Math.ceil(settings.timeout * 1000),
      maxTries: Math.max(2, run.k),
      modelVersion: advanced.modelVersion,
      sampling: settings.sampling ?? undefined,
      scoringRunId: idOf(['grade', settings.seed, nth]),
    },
    {
      agent: run.agent,
      watch,
      grader: settings.grader as never,
      execute: settings.execute ?? undefined,
      user: ports.user,
    },
  );
  const { rows, stopped } = await playRounds({ planner, play, watch, settings, ports });
  return { rows: marked(rows, planner), stopped_because: stopped, planner, prompts, watch: watch.counts(), firstAsks };
}

interface Kept {
  readonly row: Row;
  readonly ask: Ask;
}

interface Rounds {
  readonly planner: Planner;
  readonly play: ReturnType<typeof roundPlayer>;
  readonly watch: RolloutWatch;
  readonly settings: SimulateSettings;
  readonly ports: SimulatePorts;
}

async function playRounds({ planner, play, watch, settings, ports }: Rounds) {
  const isLate = clockOf(settings, ports);
  const rows: Kept[] = [];
  for (let missed = 0; ; ) {
    const asks = planner.next();
    if (asks.length === 0) return { rows, stopped: planner.stopWord() };
    const landed = await play(asks);
    planner.landed(landed);
    const kept = landed.flatMap(({ ask, row }) => (row ? [{ ask, row }] : []));
    missed += landed.length - kept.length;
    rows.push(...kept);
    for (const { row } of kept) ports.onRow?.(row);
    const tried = rows.length === 0 ? watch.counts().calls : missed;
    if (missed > 0 && tried >= Math.max(leastTries, 2 * settings.rows)) return { rows, stopped: deadWord(watch) };
    if (isLate()) return { rows, stopped: 'time_budget' };
  }
}

const leastTries = 16;

/** An agent that leaves no rows is called off early, whatever kind of nothing it leaves. */
function deadWord(watch: RolloutWatch): string {
  const { lost_by, lost } = watch.counts();
  return (lost_by['empty_reply'] ?? 0) > lost / 2 ? 'empty_replies' : 'agent_failed';
}

function clockOf({ timeBudget }: SimulateSettings, { clock = systemClock }: SimulatePorts): () => boolean {
  const started = clock();
  const limit = timeBudget && timeBudget > 0 ? timeBudget * 1000 : Number.POSITIVE_INFINITY;
  return () => clock() - started >= limit;
}

/** Rows of groups that the budget cut say so. */
const marked = (rows: readonly Kept[], planner: Planner): readonly Row[] =>
  rows.map(({ ask, row }) => (planner.isCut(ask) ? { ...row, group_cut: true } : row));

function pinnedWeights({ armWeights, advanced }: SimulateSettings) {
  const given = armWeights ?? advanced.armWeights;
  return given && checkArmWeights(given);
}
