import type { Agent } from '../../agents/agent.ts';
import type { SimulatedUser } from '../../agents/simulated-user.ts';
import type { Clock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { idOf } from '../../core/ids.ts';
import { isObject } from '../../core/json-object.ts';
import { checkDimensions, type Dimensions, unspecified } from '../../grid/axes.ts';
import { type PinnedTasks, pinTasks } from '../../grid/pinned-tasks.ts';
import { type GridPlan, scenarioId } from '../../grid/plan.ts';
import { type PlannedStream, situationStream } from '../../grid/situation-stream.ts';
import { situationOf } from '../../grid/situations.ts';
import { askId } from '../../grid/wording/write-ask.ts';
import { conductGrade } from '../../judges/conduct/conduct-grade.ts';
import type { Judge } from '../../judges/judge.ts';
import { createModels, type Models } from '../../models/models.ts';
import { inferHarness } from '../../reports/traces/infer-harness.ts';
import { policyFromTraces } from '../../reports/traces/policy-from-traces.ts';
import type { Ask } from '../../rows/ask.ts';
import type { TimeBook } from '../../rows/rollout-times.ts';
import type { Row } from '../../rows/row.ts';
import type { Cell, Situation } from '../../rows/situation.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { loadTraces as loadRows } from '../../sources/files/load-traces.ts';
import { type Aim, aimAt } from './aim.ts';
import { embedOf } from './embed.ts';
import type { Finishers } from './finishers.ts';
import { type Harness, harnessOf, playersOf } from './harness.ts';
import { llmJudgeOf } from './llm-judge-of.ts';
import type { SimulateSettings } from './options.ts';
import { type Words, wordsOf } from './words.ts';

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
  /** Where the times of rollouts are taken down. */
  readonly times?: TimeBook;
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
  /** Share of the asks in which the agent speaks first. */
  readonly opening: number;
  readonly words: Words;
  /** What is added when all rows have landed. */
  readonly after: Finishers;
  /** Verdicts come while the run goes on. */
  readonly graded: boolean;
}

/**
 * Settle agent, tools, words, tasks, aim and grid of a run.
 *
 * @throws TM_OPTIONS - an agent that nobody can make, rows that nobody can read, tools or tasks that are none
 * @throws TM_AUTH - a model host refused the key
 */
export async function prepared(settings: SimulateSettings, ports: SimulatePorts): Promise<Prepared> {
  const models = ports.models ?? createModels();
  const traces = await tracesOf(settings, ports);
  const given = await harnessOf(settings, ports.folder);
  const harness = traces ? filledFrom(traces, given) : given;
  const { systemPrompt } = harness;
  const { agent, user } = await playersOf(harness, settings, models);
  const pinned = await pinnedOf(settings, ports);
  const words = await wordsOf(settings, models, harness, systemPrompt);
  const { tools } = words;
  const aim = traces && aimOf(settings, traces, tools, systemPrompt);
  const planned = planOf(settings, tools, systemPrompt, aim);
  return {
    agent,
    user,
    tools,
    systemPrompt,
    planned,
    pinned,
    aim,
    seeds: words.seeds,
    k: pinned?.repeats ?? settings.topology.k,
    extra: extraOf(settings, planned.plan),
    opening: openingOf(settings, aim),
    words,
    after: {
      conduct: ports.conduct ?? (settings.grade === false ? undefined : conductJudge(tools)),
      llm: llmJudgeOf(settings, models, harness.rubric),
      embed: embedOf(settings, models),
    },
    graded: Boolean(ports.judge ?? settings.grader),
  };
}

/** The rules of conduct as a judge. */
export const conductJudge = (declaredTools: readonly Tool[]): Judge => ({
  name: 'conduct',
  kind: 'rule',
  judge: (row) => conductGrade(row, { declaredTools }),
});

function openingOf({ opening }: SimulateSettings, aim: Aim | undefined): number {
  if (typeof opening === 'number') return opening;
  if (opening === 'auto') return aim?.openingShare ?? 0;
  return opening === 'agent' ? 1 : 0;
}

/** A caller's own cells: axes it leaves out are plain. */
function extraOf({ advanced }: SimulateSettings, plan: GridPlan): readonly Situation[] {
  return (advanced.extraSituations ?? []).map((given) => {
    const named = isObject(given['scenario_dimensions']) ? given['scenario_dimensions'] : given;
    const axes = checkDimensions(Object.fromEntries(Object.entries(named).map(([axis, value]) => [axis, [value]])));
    const own = Object.fromEntries(Object.entries(axes).map(([axis, values]) => [axis, values[0]]));
    const cell = { ...plainCell, ...own } as Cell; // every axis is set
    return situationOf(cell, scenarioId(cell), plan);
  });
}

const plainCell: Cell = {
  tool: 'unrelated',
  rule: unspecified,
  stance: 'ordinary',
  world_state: unspecified,
  tool_condition: 'success',
  history: 'fresh',
};

async function pinnedOf(settings: SimulateSettings, ports: SimulatePorts): Promise<PinnedTasks | undefined> {
  const { tasks, seed, topology } = settings;
  if (!tasks) return undefined;
  return pinTasks(await rowsOf('tasks', tasks, ports), { seed, repeats: topology.k_explicit ? topology.k : undefined });
}

async function tracesOf({ traces }: SimulateSettings, ports: SimulatePorts): Promise<readonly Row[] | undefined> {
  if (!traces) return undefined;
  const rows = await rowsOf('traces', traces, ports);
  return rows.length === 0 ? undefined : rows;
}

function aimOf(
  { strategy }: SimulateSettings,
  traces: readonly Row[],
  tools: readonly Tool[],
  prompt: string,
): Aim | undefined {
  return strategy === 'broad' ? undefined : aimAt(traces, tools, prompt, strategy === 'targeted' ? strategy : 'trace');
}

/** What nobody says of an agent, its traces may show. */
function filledFrom(traces: readonly Row[], harness: Harness): Harness {
  return {
    ...harness,
    tools: harness.tools.length > 0 ? harness.tools : toolsFrom(inferHarness(traces).tools),
    systemPrompt: harness.systemPrompt || policyFromTraces(traces),
  };
}

/** Lay the grid of a run out. */
export function planOf(
  settings: SimulateSettings,
  tools: readonly Tool[],
  prompt: string,
  aim: Aim | undefined,
): PlannedStream {
  const { seed, topology, grid, hardShare, faultRate, risk, dimensions, advanced } = settings;
  const regions = advanced.targetedRegions ?? [];
  const own = (dimensions ?? advanced.dimensions) as Dimensions | undefined; // the schema has checked them
  return situationStream(tools, prompt, {
    seed,
    mode: topology.mode,
    grid,
    hardShare,
    faultRate: faultRate ?? risk ?? undefined,
    observedFaults: aim?.observedFaults ?? advanced.preferSuccess === false,
    dimensions: aim || own ? { ...aim?.dimensions, ...own } : undefined,
    boost: (cell) => (aim?.boost(cell) ?? 1) * (regions.some((region) => isWithin(cell, region)) ? regionBoost : 1),
  });
}

/** How much more than the others the cells of a caller's regions are wanted. */
const regionBoost = 3;
const isWithin = (cell: Cell, region: object): boolean =>
  Object.entries(region).every(([axis, value]) => cell[axis] === value);

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
export function firstOf(
  { pinned, seeds, k }: Pick<Prepared, 'pinned' | 'seeds' | 'k'>,
  settings: SimulateSettings,
  nth: number,
): readonly Ask[] {
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
