import type { z } from 'zod';
import type { Agent } from '../agents/agent.ts';
import { type RolloutWatch, rolloutWatch } from '../agents/rollout-watch.ts';
import type { OperatorCounts } from '../core/counters.ts';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import { pull, type Source } from '../core/source.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { resolveTopology } from '../grid/topology.ts';
import type { Judge } from '../judges/judge.ts';
import { JudgeWatch } from '../judges/judge-watch.ts';
import { world } from '../operators/world.ts';
import { writer } from '../operators/writer.ts';
import { type Ask, askSchema } from '../rows/ask.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { type Situation, situationSchema } from '../rows/situation.ts';
import { type Tool, toolsFrom } from '../rows/tool.ts';
import { plannedGrid } from '../sources/grid.ts';
import { tasksSource } from '../sources/tasks.ts';
import { evaluateStages } from './evaluate.ts';
import { definePipeline, needed } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';
import { runReport, type SimulateReport } from './run-report.ts';
import { simulateOptions } from './simulate-stages-options.ts';

export type SimulateOptions = z.input<typeof simulateOptions>;

export interface SimulatePorts {
  /** Who plays. */
  readonly agent: Agent;
  /** Who grades; without one the rows have no reward. */
  readonly judge?: Judge;
  /** The tasks of an earlier run, to be played again word for word; nothing else is drawn then. */
  readonly tasks?: Iterable<Row>;
  /** Ends the run in order. */
  readonly stop?: AbortSignal;
}

/** A run as it is set up: what will be played, by which stages, and how to tell of it. */
export interface SimulatePlan {
  readonly stages: readonly AnyStage[];
  readonly source: Source<unknown>;
  /** Kind of the rows that the last stage writes. */
  readonly kind: 'rollouts' | 'graded';
  readonly maxInFlight: number;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  /** What is to be said of the rows, with what the counters of the run saw. */
  report(rows: Iterable<Row>, counts: readonly OperatorCounts[]): SimulateReport;
  readonly judgeWatch: JudgeWatch;
}

/**
 * Set up a run: situations of the grid, an ask of each, its rollouts against the world, their verdicts. Nothing is played
 * before the source is read.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, or there is no agent
 */
export function planSimulation(config: SimulateOptions, ports: SimulatePorts): SimulatePlan {
  const options = parseOptions('simulate', simulateOptions, config);
  if (typeof ports.agent !== 'function')
    throw new TracemillError(
      'TM_OPTIONS',
      'simulate: no agent. Give a function (message, { call }) => reply, loadAgent("./agent.mjs"), or seededAgent(tools) to try it out',
    );
  const tools = toolsFrom(options.tools);
  const topology = resolveTopology(options);
  const perSituation = topology.n_req * topology.k;
  const payable = Math.floor(options.budget / perSituation);
  const wanted = options.budget === 0 ? 0 : Math.max(1, Math.min(payable, options.situations ?? payable));
  const k = Math.max(1, Math.min(topology.k, options.budget));
  const phrasings = Math.max(1, Math.min(topology.n_req, Math.floor(options.budget / k)));
  const { systemPrompt, seed, concurrency, timeoutMs } = options;
  const planned = plannedGrid({
    tools: options.tools,
    systemPrompt,
    seed,
    mode: topology.mode,
    situations: Math.max(1, wanted),
    hardShare: options.hardShare,
    grid: options.grid,
    ...(options.faultRate !== undefined && { faultRate: options.faultRate }),
    ...(options.dimensions && { dimensions: options.dimensions }),
  });
  const watch = rolloutWatch();
  const judgeWatch = new JudgeWatch(tools);
  const given = new Set<string>();
  const played = remembered(planned.stream, wanted, given);
  const toolList = tools.map((tool) => ({ ...tool }));
  const stages = [
    ...(ports.tasks ? [] : [writerStage(toolList, { seed, phrasings, repeats: k })]),
    worldStage(
      { tools: toolList, systemPrompt, maxConcurrent: concurrency, timeoutMs, maxTries: options.maxTries },
      ports.agent,
      watch,
    ),
    ...(ports.judge
      ? evaluateStages({ maxConcurrent: concurrency, timeoutMs }, { judge: ports.judge, watch: judgeWatch })
      : []),
  ];
  const pinned = { seed, runs: options.runs, ...(options.repeats !== undefined && { repeats: options.repeats }) };
  return {
    stages,
    source: ports.tasks ? (tasksSource(ports.tasks, pinned) as Source<unknown>) : pull({ [Symbol.iterator]: played }),
    kind: ports.judge ? 'graded' : 'rollouts',
    maxInFlight: concurrency * 2,
    tools,
    systemPrompt,
    judgeWatch,
    report: (rows, counts) =>
      runReport(rows, {
        topology,
        options,
        wanted,
        given: given.size,
        isPinned: ports.tasks !== undefined,
        isStopped: ports.stop?.aborted ?? false,
        planned: planned.situations.slice(0, Math.max(wanted, 0)),
        pairs_full: planned.pairs_full,
        rollouts: watch.counts(),
        lost_by: counts.find(({ operator }) => operator === 'world')?.rejected ?? {},
        judging: judgeWatch.report(),
      }),
  };
}

const askIdentity = {
  key: ({ scenario_id }: Ask) => scenario_id,
  id: ({ ask_id, rollout_index }: Ask) => `${ask_id}#${rollout_index}`,
} as const;
const situationIdentity = {
  key: ({ scenario_id }: Situation) => scenario_id,
  id: ({ scenario_id }: Situation) => scenario_id,
} as const;

/** Simulation by its name: situations of a grid in, or the tasks of an earlier run. */
export const simulatePipeline = definePipeline({
  name: 'simulate',
  summary: 'Make rollouts of a coverage grid, and their verdicts where there is a judge.',
  options: simulateOptions,
  open(options, { agent, judge, tasks }) {
    const plan = planSimulation(definedOnly(options), {
      agent: needed('simulate', 'agent', agent),
      ...(judge && { judge }),
      ...(tasks && { tasks }),
    });
    const { stages, source, kind: out, maxInFlight } = plan;
    return { stages, source, input: tasks ? askIdentity : situationIdentity, out, maxInFlight };
  },
});

const definedOnly = (options: object): SimulateOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as SimulateOptions;

/** The situations of the plan, each remembered when it is given. */
function remembered(stream: () => Generator<Situation>, wanted: number, given: Set<string>) {
  return function* (): Generator<Situation> {
    if (wanted === 0) return;
    for (const situation of stream()) {
      given.add(situation.scenario_id);
      yield situation;
    }
  };
}

function writerStage(
  tools: Record<string, unknown>[],
  options: { seed: number; phrasings: number; repeats: number },
): AnyStage {
  return defineStage<Situation, Ask>({
    name: 'writer',
    from: 'situations',
    to: 'asks',
    reads: situationSchema,
    writes: askSchema,
    ...askIdentity,
    per: 'record',
    operator: () => writer({ tools, ...options }),
  });
}

function worldStage(options: z.input<typeof world.spec.options>, agent: Agent, watch: RolloutWatch): AnyStage {
  return defineStage<Ask, Row>({
    name: 'world',
    from: 'asks',
    to: 'rollouts',
    reads: askSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    readsAnswerKeys: true,
    operator: () => world(options, { agent, watch }),
  });
}
