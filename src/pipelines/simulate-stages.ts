import { z } from 'zod';
import type { Agent } from '../agents/agent.ts';
import { rolloutWatch } from '../agents/rollout-watch.ts';
import type { SimulatedUser } from '../agents/simulated-user.ts';
import { pull, type Source } from '../core/source.ts';
import type { AnyStage } from '../core/stage.ts';
import { pinTasks } from '../grid/pinned-tasks.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgeWatch } from '../judges/judge-watch.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';
import { toolsFrom } from '../rows/tool.ts';
import { evaluateStages } from './evaluate.ts';
import { definePipeline, needed } from './pipeline.ts';
import { simulateSettings, simulateShape } from './simulate/options.ts';
import { type PlannedRun, plannedRuns } from './simulate/planned-runs.ts';
import { planOf } from './simulate/prepare.ts';
import { worldStage } from './simulate/world-stage.ts';

const { tools, systemPrompt, mode, budget, situations, phrasings, repeats, grid, seed, seeds } = simulateShape;
const { faultRate, hardShare, dimensions, concurrency, timeout, runs, uniqueSituations } = simulateShape;

/** The options of a simulation that is decided before it is played: they are those of `simulate`, and no others. */
export const fixedOptions = z.strictObject({
  ...{ tools, systemPrompt, mode, budget, situations, phrasings, repeats, uniqueSituations, grid, seed, seeds },
  ...{ faultRate, hardShare, dimensions, concurrency, timeout, runs },
  repeatPolicy: z
    .enum(['none', 'fixed'])
    .optional()
    .describe('When a wording is played again. No verdict comes back here: every wording gets its rollouts at once.'),
});
export type FixedOptions = z.input<typeof fixedOptions>;

interface FixedPorts {
  /** Who plays. */
  readonly agent: Agent;
  /** The person that a model agent talks to. */
  readonly user?: ((ask: Ask) => SimulatedUser) | undefined;
  /** Who grades; without one the rows have no reward. */
  readonly judge?: Judge | undefined;
  /** Told of every graded row. */
  readonly watch?: JudgeWatch | undefined;
  /** The tasks of an earlier run, to be played again word for word; nothing else is drawn then. */
  readonly tasks?: Iterable<Row> | undefined;
}

interface FixedPlan {
  readonly source: Source<Ask>;
  readonly stages: readonly AnyStage[];
  /** Kind of the rows that the last stage writes. */
  readonly kind: 'rollouts' | 'graded';
  readonly maxInFlight: number;
}

/**
 * Set up a simulation whose stages may run in processes of their own: the planner gives the asks that it would give without
 * any verdict, every wording with all its rollouts at once. The asks are those of `simulate` with `repeatPolicy` fixed and
 * `mutateFailures` off; the arms keep their usual shares.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 */
export function planFixed(options: FixedOptions, { agent, user, judge, watch, tasks }: FixedPorts): FixedPlan {
  const given = definedOnly(options);
  const settings = simulateSettings({ ...given, agent: agent as never, advanced: { mutateFailures: false } });
  const known = toolsFrom(settings.tools);
  const { topology, prompt, concurrency: maxConcurrent } = settings;
  const pinned =
    tasks && pinTasks(tasks, { seed: settings.seed, repeats: topology.k_explicit ? topology.k : undefined });
  const decided = plannedRuns(
    {
      tools: known,
      planned: planOf(settings, known, prompt, undefined),
      pinned,
      seeds: settings.seeds ?? [],
      k: pinned?.repeats ?? topology.k,
      extra: [],
      graded: false,
    },
    { ...settings, topology: { ...topology, repeat_policy: topology.k > 1 ? 'fixed' : topology.repeat_policy } },
  );
  const timeoutMs = Math.ceil(settings.timeout * 1000);
  return {
    source: pull({ [Symbol.iterator]: () => asksOf(decided) }),
    stages: [
      worldStage(
        { tools: [...known], systemPrompt: prompt, maxConcurrent, timeoutMs, maxTries: Math.max(2, topology.k) },
        { agent, user, watch: rolloutWatch() },
      ),
      ...(judge
        ? evaluateStages({ maxConcurrent, timeoutMs, skipsCut: true }, { judge, ...(watch && { watch }) })
        : []),
    ],
    kind: judge ? 'graded' : 'rollouts',
    maxInFlight: maxConcurrent * 2,
  };
}

/** All rounds, one after the other: nobody tells the planner what came of them. */
function* asksOf(decided: readonly PlannedRun[]): Generator<Ask> {
  for (const { planner } of decided)
    for (let round = planner.next(); round.length > 0; round = planner.next()) yield* round;
}

/** Simulation by its name: the asks of a grid in, or the tasks of an earlier run. */
export const simulatePipeline = definePipeline({
  name: 'simulate',
  summary: 'Make rollouts of a coverage grid, and their verdicts where there is a judge.',
  options: fixedOptions,
  example: { tools: [{ name: 'get_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } }] },
  open(options, { agent, user, judge, tasks }) {
    const plan = planFixed(options, { agent: needed('simulate', 'agent', agent), user, judge, tasks });
    const { stages, source, kind: out, maxInFlight } = plan;
    return { stages, source, input: askIdentity, out, maxInFlight };
  },
});

const askIdentity = {
  key: ({ scenario_id }: Ask) => scenario_id,
  id: ({ ask_id, rollout_index, lineage }: Ask) => `${ask_id}#${rollout_index}#${String(lineage?.['eval_run'] ?? 0)}`,
} as const;

const definedOnly = (options: object): FixedOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as FixedOptions;
