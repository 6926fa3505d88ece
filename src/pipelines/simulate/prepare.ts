import type { Agent } from '../../agents/agent.ts';
import { agentFrom, type Players } from '../../agents/agent-from.ts';
import type { SimulatedUser } from '../../agents/simulated-user.ts';
import type { Clock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { idOf } from '../../core/ids.ts';
import type { Dimensions } from '../../grid/axes.ts';
import { type PinnedTasks, pinTasks } from '../../grid/pinned-tasks.ts';
import type { WriteSituations } from '../../grid/planner/prompts.ts';
import { type PlannedStream, situationStream } from '../../grid/situation-stream.ts';
import { askId } from '../../grid/wording/write-ask.ts';
import type { Judge } from '../../judges/judge.ts';
import { createModels, type Models } from '../../models/models.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Row } from '../../rows/row.ts';
import type { Situation } from '../../rows/situation.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { loadTraces as loadRows } from '../../sources/files/load-traces.ts';
import { type Aim, aimAt } from './aim.ts';
import type { SimulateSettings } from './options.ts';

/** What a run needs of the world outside it. */
export interface SimulatePorts {
  /** Opens the models that options name. Default: by the environment of the process. */
  readonly models?: Models;
  /** Who grades, in the place of `grader`: a judge that says more of itself than a function can. */
  readonly judge?: Judge;
  /** Read the rows of a file: tasks and traces may be paths. Default: any format that is known. */
  readonly readRows?: (path: string) => Promise<readonly Row[]>;
  /** Folder that module paths start from. */
  readonly folder?: string;
  /** Grades the conduct of every row after the run, when `grade` asks for it. */
  readonly conduct?: Judge;
  readonly clock?: Clock;
  /** Told of every row as its round ends. */
  readonly onRow?: (row: Row) => void;
  /** What is kept of a row for the result. Default: all of it. */
  readonly keep?: (row: Row) => Row;
}

/** All that is fixed before the first rollout. */
export interface Prepared {
  readonly agent: Agent;
  /** Makes the person of an ask, for agents that talk on. */
  readonly user: ((ask: Ask) => SimulatedUser) | undefined;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  readonly planned: PlannedStream;
  readonly pinned?: PinnedTasks | undefined;
  readonly aim?: Aim | undefined;
  readonly seeds: readonly string[];
  readonly k: number;
  /** Cells of the caller, before those of the grid. */
  readonly extra: readonly Situation[];
  readonly write: WriteSituations | undefined;
  /** Verdicts come while the run goes on. */
  readonly graded: boolean;
  /** Nobody is there to grade the conduct. */
  readonly lacksConduct: boolean;
}

/**
 * Settle agent, tools, tasks, aim and grid of a run.
 *
 * @throws TM_OPTIONS - an agent that nobody can make, rows that nobody can read, tools or tasks that are none
 */
export async function prepared(settings: SimulateSettings, ports: SimulatePorts): Promise<Prepared> {
  const tools = toolsFrom(settings.tools);
  const { agent, user } = await playersOf(settings, tools, ports);
  const pinned = await pinnedOf(settings, ports);
  const aim = await aimOf(settings, ports, tools);
  return {
    agent,
    user,
    tools,
    systemPrompt: settings.prompt,
    planned: planOf(settings, tools, aim),
    pinned,
    aim,
    seeds: [...(settings.seeds ?? []), ...(settings.advanced.seedPrompts ?? [])],
    k: pinned?.repeats ?? settings.topology.k,
    extra: [],
    write: undefined,
    graded: Boolean(ports.judge ?? settings.grader),
    lacksConduct: settings.grade !== false && ports.conduct === undefined,
  };
}

function playersOf(settings: SimulateSettings, tools: readonly Tool[], ports: SimulatePorts): Promise<Players> {
  const { temperature, agentMaxTokens, maxTurns, avgTurns, minUserTurns, patience, logprobs, scaffold } = settings;
  return agentFrom(settings.agent ?? settings.backend, {
    models: ports.models ?? createModels(),
    tools,
    talk: {
      temperature,
      avgTurns,
      minUserTurns,
      patience,
      logprobs,
      ...(agentMaxTokens && { agentMaxTokens }),
      ...(maxTurns && { maxTurns: Math.max(2, maxTurns) }),
      ...(scaffold && { scaffold }),
    },
    userModel: settings.userModel ?? undefined,
    folder: ports.folder,
  });
}

async function pinnedOf(settings: SimulateSettings, ports: SimulatePorts): Promise<PinnedTasks | undefined> {
  const { tasks, seed, topology } = settings;
  if (!tasks) return undefined;
  return pinTasks(await rowsOf('tasks', tasks, ports), { seed, repeats: topology.k_explicit ? topology.k : undefined });
}

async function aimOf(
  settings: SimulateSettings,
  ports: SimulatePorts,
  tools: readonly Tool[],
): Promise<Aim | undefined> {
  const { traces, strategy, prompt } = settings;
  if (!traces || strategy === 'broad') return undefined;
  const rows = await rowsOf('traces', traces, ports);
  return rows.length === 0 ? undefined : aimAt(rows, tools, prompt, strategy === 'targeted' ? 'targeted' : 'trace');
}

function planOf(settings: SimulateSettings, tools: readonly Tool[], aim: Aim | undefined): PlannedStream {
  const { seed, topology, grid, hardShare, faultRate, risk, dimensions, advanced, prompt } = settings;
  const own = (dimensions ?? advanced.dimensions) as Dimensions | undefined; // the schema has checked them
  return situationStream(tools, prompt, {
    seed,
    mode: topology.mode,
    grid,
    hardShare,
    faultRate: faultRate ?? risk ?? undefined,
    observedFaults: aim?.observedFaults ?? advanced.preferSuccess === false,
    dimensions: aim || own ? { ...aim?.dimensions, ...own } : undefined,
  });
}

async function rowsOf(
  option: string,
  given: string | readonly object[],
  { readRows = loadRows }: SimulatePorts,
): Promise<readonly Row[]> {
  if (typeof given !== 'string') return given as readonly Row[];
  const rows = await readRows(given);
  if (rows.length === 0) throw new TracemillError('TM_OPTIONS', `${option}: ${given} holds no row`);
  return rows;
}

/** The asks that come before any of the engine's own: the pinned tasks, or as many seeds as the budget covers. */
export function firstOf({ pinned, seeds, k }: Prepared, settings: SimulateSettings, nth: number): readonly Ask[] {
  if (pinned)
    return pinned.tasks.map((task) =>
      settings.runs === 1 ? task : { ...task, lineage: { ...task.lineage, eval_run: nth } },
    );
  const covered = Math.max(1, Math.floor(settings.rows / k));
  return seeds.slice(0, covered).map((prompt) => seedAsk(prompt, settings.seed));
}

function seedAsk(prompt: string, seed: number): Ask {
  const scenario_id = `seed-${idOf([prompt], 12)}`;
  return {
    ask_id: askId(scenario_id, prompt, seed),
    scenario_id,
    prompt,
    seed,
    rollout_index: 0,
    arm: 'open_ended',
    selection_reason: 'seed',
    writer_model: 'seed',
    tier: 'ordinary',
    ask_family: 'general',
    intent_known: true,
    tool_known: false,
  };
}
