import { z } from 'zod';
import type { Agent } from '../agents/agent.ts';
import { rolloutWatch } from '../agents/rollout-watch.ts';
import type { SimulatedUser } from '../agents/simulated-user.ts';
import { isObject } from '../core/json-object.ts';
import { pull, type Source } from '../core/source.ts';
import type { AnyStage } from '../core/stage.ts';
import { pinTasks } from '../grid/pinned-tasks.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgeWatch } from '../judges/judge-watch.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';
import { toolsFrom } from '../rows/tool.ts';
import { decider, rolloutName } from '../sources/decider.ts';
import { evaluateStages } from './evaluate.ts';
import { definePipeline, type Feedback, needed } from './pipeline.ts';
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
    .enum(['none', 'fixed', 'successive', 'adaptive'])
    .optional()
    .describe(
      'When a wording is played again. Default: all its rollouts at once; successive and adaptive wait for verdicts.',
    ),
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
  /** What the source waits for, where the policy of repeats decides by verdicts. */
  readonly feedback?: Feedback | undefined;
  readonly stages: readonly AnyStage[];
  /** Kind of the rows that the last stage writes. */
  readonly kind: 'rollouts' | 'graded';
  readonly maxInFlight: number;
}

/**
 * Set up a simulation whose stages may run in processes of their own. By default the planner gives the asks that it would
 * give without any verdict, every wording with all its rollouts at once: those of `simulate` with `repeatPolicy` fixed and
 * `mutateFailures` off; the arms keep their usual shares. With `repeatPolicy` successive or adaptive planner, arms, mutation
 * and allocator decide by what came of the rounds before, as in `simulate`.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 */
export function planFixed(options: FixedOptions, { agent, user, judge, watch, tasks }: FixedPorts): FixedPlan {
  const given = definedOnly(options);
  const isHeard = options.repeatPolicy === 'successive' || options.repeatPolicy === 'adaptive';
  const settings = simulateSettings({ ...given, agent: agent as never, advanced: { mutateFailures: isHeard } });
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
      graded: isHeard && judge !== undefined,
    },
    isHeard
      ? settings
      : { ...settings, topology: { ...topology, repeat_policy: topology.k > 1 ? 'fixed' : topology.repeat_policy } },
  );
  const kind = judge ? 'graded' : 'rollouts';
  const timeoutMs = Math.ceil(settings.timeout * 1000);
  return {
    ...(isHeard
      ? heardSource(decided, settings.rows, kind)
      : { source: pull({ [Symbol.iterator]: () => asksOf(decided) }) }),
    stages: [
      worldStage(
        { tools: [...known], systemPrompt: prompt, maxConcurrent, timeoutMs, maxTries: Math.max(2, topology.k) },
        { agent, user, watch: rolloutWatch() },
      ),
      ...(judge
        ? evaluateStages({ maxConcurrent, timeoutMs, skipsCut: true }, { judge, ...(watch && { watch }) })
        : []),
    ],
    kind,
    maxInFlight: maxConcurrent * 2,
  };
}

/** All rounds, one after the other: nobody tells the planner what came of them. */
function* asksOf(decided: readonly PlannedRun[]): Generator<Ask> {
  for (const { planner } of decided)
    for (let round = planner.next(); round.length > 0; round = planner.next()) yield* round;
}

/**
 * Planner, arms and allocator as a source: it gives a round when all of the last is answered. Its memory is what the topics
 * hold: started again, it decides the same rounds of the same answers. Memory: the answers of an earlier run, until their
 * round is decided again.
 */
function heardSource(decided: readonly PlannedRun[], budget: number, kind: FixedPlan['kind']) {
  const early = new Map<string, { readonly row: Row | undefined }>();
  const decide = decider({
    planners: decided.map(({ planner }) => planner),
    each: () => {},
    known(name) {
      const one = early.get(name);
      early.delete(name);
      return one;
    },
    doneWhen: 'answered',
    deadWord: (missed, rows) => (rows === 0 && missed >= Math.max(leastTries, 2 * budget) ? 'agent_failed' : undefined),
    isLate: () => false,
    hungMs: Number.POSITIVE_INFINITY, // a worker that is away comes back, and its records are not lost
  });
  const tell = (name: string, row: Row | undefined): void => {
    if (!decide.answered(name, row) && !early.has(name)) early.set(name, { row });
  };
  const feedback: Feedback = {
    kind,
    answered: (row) => tell(rolloutName(row, row.prompt), row),
    lost(row) {
      const ask = isObject(row) ? (row as Row) : undefined;
      if (ask) tell(rolloutName(ask, ask.prompt), undefined);
    },
  };
  return { source: decide.source, feedback };
}

const leastTries = 16;

/** Simulation by its name: the asks of a grid in, or the tasks of an earlier run. */
export const simulatePipeline = definePipeline({
  name: 'simulate',
  summary: 'Make rollouts of a coverage grid, and their verdicts where there is a judge.',
  options: fixedOptions,
  example: { tools: [{ name: 'get_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } }] },
  open(options, { agent, user, judge, tasks }) {
    const plan = planFixed(options, { agent: needed('simulate', 'agent', agent), user, judge, tasks });
    const { stages, source, feedback, kind: out, maxInFlight } = plan;
    return { stages, source, feedback, input: askIdentity, out, maxInFlight };
  },
});

const askIdentity = {
  key: ({ scenario_id }: Ask) => scenario_id,
  id: ({ ask_id, rollout_index, lineage }: Ask) => `${ask_id}#${rollout_index}#${String(lineage?.['eval_run'] ?? 0)}`,
} as const;

const definedOnly = (options: object): FixedOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as FixedOptions;
