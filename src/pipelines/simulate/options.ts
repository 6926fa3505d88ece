import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { untilOf } from '../../grid/adaptive-plan.ts';
import { checkArmWeights } from '../../grid/arms.ts';
import { checkDimensions } from '../../grid/axes.ts';
import { resolveTopology, type Topology } from '../../grid/topology.ts';

const count = z.number().nullish();
const isFunction = (value: unknown): boolean => typeof value === 'function';
const object = z.record(z.string(), z.unknown());
/** A rule that throws a TracemillError, as a check of one option. */
const checked = (check: (value: never) => unknown) => (value: unknown, context: z.RefinementCtx) => {
  try {
    check(value as never);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
};
const dimensions = object.superRefine(checked(checkDimensions)).optional();
const armWeights = object.superRefine(checked(checkArmWeights)).optional();
const backendSpec = /^(?:ollama(?::.+)?|vllm:.+@https?:\/\/.+|(?:openai|anthropic|fireworks):.+)$/u;
const backend = z
  .string()
  .regex(
    backendSpec,
    'expected ollama:<model>, vllm:<model>@<url>, openai:<model>, anthropic:<model> or fireworks:<model>',
  );

/** Constants of the engine; few need them. */
const advanced = z.strictObject({
  dimensions: dimensions.describe('As the option of the same name.'),
  armWeights: armWeights.describe('Shares of the search arms, pinned for the whole run.'),
  texture: z.number().min(0).max(1).default(0.35).describe('Share of asks that are typed in a way of their own.'),
  embedder: z
    .union([
      z.literal('hash'),
      z.custom<(texts: readonly string[]) => unknown>(isFunction),
      z.string().regex(/^(?:ollama|openai|bge)(?::.+)?$/u, 'expected hash, a function, ollama:, openai: or bge'),
    ])
    .default('hash')
    .describe('How asks are compared: by words, or by meaning, which rows then tell as semantic_novelty.'),
  probe: z.int().min(1).default(2).describe('Rollouts that a group of mode rl opens with.'),
  perRound: z.int().min(1).default(80).describe('Asks decided at once.'),
  scenariosPerRequest: z.int().min(1).default(8).describe('Situations a writer model is given at once.'),
  scenarioConcurrency: z.int().min(1).default(4).describe('Writer calls at the same time.'),
  completionsPerRequest: z
    .int()
    .min(1)
    .max(8)
    .default(1)
    .describe('Times each wave is written; of a card, the first ask that can be used is taken.'),
  extraCards: z.int().min(0).default(1).describe('Cards a writer gets beyond those needed.'),
  distinctCards: z.boolean().optional().describe('Give a writer no cell twice. Default: as uniqueSituations.'),
  hungSlot: z.number().min(0).default(45).describe('Seconds after which a silent slot is given up.'),
  stopGrace: z.number().min(0).default(5).describe('Seconds that rollouts in flight have when the clock ends.'),
  mutateFailures: z.boolean().default(true).describe('Make new asks of those that met trouble.'),
  mutateGradedFailures: z
    .boolean()
    .optional()
    .describe('Make new asks of those that were graded below 0.5. Default: when a grader runs.'),
  preferSuccess: z.boolean().optional().describe('Let most tools succeed. Default: true except in rl.'),
  targetedRegions: z.array(object).optional().describe('Cells to look at more often.'),
  modelVersion: z.string().optional().describe('Name of the model that rows carry.'),
  seedPrompts: z.array(z.string()).optional().describe('As seeds.'),
  extraSituations: z.array(object).optional().describe('Cells to play besides the grid.'),
});

/** The options by name, for those who make flags or pages of them. */
export const simulateShape = {
  agent: z
    .union([
      z.string().min(1),
      z.custom<never>(isFunction),
      z.custom<object>(isObject, 'expected a function, a word or an agent'),
    ])
    .nullish()
    .describe('Who plays: a function, a backend spec, a URL, or a framework agent.'),
  tools: z.unknown().optional().describe('Tools of the agent, in any common form.'),
  systemPrompt: z.string().nullish().describe('The policy of the agent.'),
  policy: z.string().nullish().describe('Another name of systemPrompt.'),
  spec: z
    .union([z.string(), object])
    .nullish()
    .describe('Tools, policy, situations and rubric in one object, file or folder.'),
  budget: z.int().min(0).nullable().default(1000).describe('Rows at most; null is 50,000.'),
  timeBudget: z.number().nullish().describe('Seconds; 0 and below is no limit.'),
  until: z
    .string()
    .superRefine(checked((word: string) => untilOf(word)))
    .nullish()
    .describe('compute, or saturation: every planned cell seen five times.'),
  situations: z.int().min(1).nullish().describe('Situations opened, exactly.'),
  mode: z.string().nullish().describe('explore, sft, rl or adaptive.'),
  grid: z
    .enum(['stable', 'compact'])
    .default('stable')
    .describe('stable keeps ids when the policy is edited; compact needs fewer cells.'),
  n: count.describe('Another name of phrasings.'),
  phrasings: count.describe('Wordings of each situation.'),
  requestsPerSituation: count.describe('Another name of phrasings.'),
  k: count.describe('Another name of repeats.'),
  repeats: count.describe('Rollouts of each wording.'),
  rolloutsPerRequest: count.describe('Another name of repeats.'),
  rolloutsPerPrompt: count.describe('Another name of repeats.'),
  repeatPolicy: z.string().nullish().describe('none, adaptive, successive or fixed.'),
  unique: z.boolean().nullish().describe('Another name of uniqueSituations.'),
  uniqueSituations: z.boolean().nullish().describe('No situation twice.'),
  seeds: z.array(z.string().min(1)).nullish().describe('Asks that are played first, word for word.'),
  tasks: z
    .union([z.string().min(1), z.array(object).min(1, 'the list is empty')])
    .nullish()
    .describe('Play the task set of an earlier run again: its rows, or their file.'),
  runs: z.int().min(1).default(1).describe('How often the task set is played.'),
  traces: z
    .union([z.string().min(1), z.array(object)])
    .nullish()
    .describe('Production traces that aim the search; tools and policy that nobody gives are read off them.'),
  strategy: z
    .enum(['auto', 'broad', 'trace', 'targeted'])
    .default('auto')
    .describe('How far traces narrow the search.'),
  steeringWeight: z.number().min(0).max(1).nullish().describe('Share of asks aimed at what traces put in front.'),
  opening: z
    .union([z.enum(['user', 'agent', 'auto']), z.number().min(0).max(1)])
    .default('user')
    .describe('Who speaks first, or the share in which the agent does.'),
  grader: z
    .custom<(row: never) => unknown>(isFunction, 'expected a function of a row')
    .nullish()
    .describe('Grades rows while the run goes on.'),
  grade: z
    .union([z.boolean(), z.literal('conduct')])
    .default(false)
    .describe('Grade the conduct of each row after the run.'),
  llmGrade: z.boolean().default(false).describe('Add a model verdict as llm_reward, beside the reward.'),
  judgeModel: backend.nullish().describe('Model of llmGrade. Default: the one that writes, else the one that plays.'),
  concurrency: z.int().min(1).default(32).describe('Rollouts at the same time; verdicts too.'),
  reproducible: z
    .boolean()
    .default(false)
    .describe('Fold results in rounds, so that not even repeats depend on timing.'),
  seed: z.int().default(0).describe('Seed of every draw.'),
  faultRate: z.number().min(0).max(1).nullish().describe('Share of the fault cells that keep their fault.'),
  risk: z.number().min(0).max(1).nullish().describe('Another name of faultRate.'),
  hardShare: z.number().min(0).max(1).default(0.4).describe('Share of ambiguous, boundary and adversarial situations.'),
  dimensions: dimensions.describe('Axes of your own, by name.'),
  armWeights: armWeights.describe('Shares of the search arms, pinned for the whole run.'),
  simulator: z
    .union([z.literal(false), z.string().min(1), z.custom<never>(isFunction)])
    .nullish()
    .describe('Who writes asks: false for templates, a backend spec, or a function.'),
  userModel: backend.nullish().describe('Model that plays the person.'),
  backend: backend.nullish().describe('Model that plays the agent when it is no function.'),
  maxTurns: z.int().min(1).nullish().describe('Turns of a conversation at most.'),
  avgTurns: z.number().min(1).default(12).describe('Turns that conversations have on average.'),
  minUserTurns: z.int().min(1).default(1).describe('Times the person speaks at least.'),
  patience: z
    .string()
    .transform((word) => word.trim().toLowerCase())
    .pipe(z.enum(['short', 'normal', 'endless']))
    .default('normal')
    .describe('How soon a person leaves who is asked back.'),
  temperature: z.number().min(0).default(0.8).describe('Of the agent model.'),
  agentMaxTokens: z
    .union([z.literal(0), z.int().min(64)])
    .nullish()
    .describe('Tokens of one answer; 0 is the default.'),
  timeout: z.number().positive().default(300).describe('Seconds of one rollout.'),
  logprobs: z
    .union([z.boolean(), z.literal('tokens')])
    .default(false)
    .describe('Keep log probabilities of the agent model.'),
  sampling: object.nullish().describe('How a function agent samples, as rows should say.'),
  execute: z.custom<never>(isFunction).nullish().describe('Real tools in the place of the mock ones.'),
  scaffold: z.string().nullish().describe('Text appended to the prompt of a model agent only.'),
  rubric: z.unknown().optional().describe('What llmGrade grades by: a text, or a list of criteria.'),
  output: z.string().min(1).nullish().describe('File that rows are written to.'),
  checkpoint: z.string().min(1).nullish().describe('File that every row is appended to at once, and resumed from.'),
  onProgress: z.custom<(state: object) => void>(isFunction).nullish().describe('Told of progress.'),
  advanced: advanced.prefault({}).describe('Constants of the engine.'),
};

type Shape = z.output<z.ZodObject<typeof simulateShape>>;
const given = (value: unknown): boolean => value !== undefined && value !== null;

/** Options that cannot stand together: which, when, and why. The name comes first in the message. */
const conflicts: readonly (readonly [option: string, isSo: (options: Shape) => boolean, why: string])[] = [
  [
    'systemPrompt',
    ({ systemPrompt, policy }) => Boolean(systemPrompt && policy && systemPrompt.trim() !== policy.trim()),
    'systemPrompt and policy are one option and differ; give one',
  ],
  [
    'tasks',
    ({ tasks, seeds }) => given(tasks) && (seeds ?? []).length > 0,
    'a task set is replayed; no seeds can be added to it',
  ],
  [
    'tasks',
    ({ tasks }) =>
      Array.isArray(tasks) && tasks.some(({ prompt }) => typeof prompt !== 'string' || prompt.trim() === ''),
    'a row has no prompt',
  ],
  [
    'steeringWeight',
    ({ steeringWeight, traces }) => given(steeringWeight) && !given(traces),
    'there is nothing to steer by without traces',
  ],
  ['strategy', ({ strategy, traces }) => ['trace', 'targeted'].includes(strategy) && !given(traces), 'it needs traces'],
  [
    'mutateGradedFailures',
    ({ advanced: { mutateGradedFailures }, grader }) => mutateGradedFailures === true && !given(grader),
    'nothing is graded without a grader',
  ],
  [
    'faultRate',
    ({ faultRate, risk }) => given(faultRate) && given(risk) && faultRate !== risk,
    'faultRate and risk are one option and differ; give one',
  ],
  [
    'sampling',
    ({ sampling, agent, backend }) => given(sampling) && typeof (agent ?? backend) !== 'function',
    'it says how a function agent samples; a model agent has temperature and agentMaxTokens',
  ],
  [
    'logprobs',
    ({ logprobs, agent }) => logprobs !== false && typeof agent === 'function',
    'a function agent returns its own log probabilities; leave the option out',
  ],
];

/** All options of a simulation, each checked before anything runs. */
export const simulateOptionsSchema = z.strictObject(simulateShape).superRefine((options, context) => {
  for (const [option, isSo, why] of conflicts)
    if (isSo(options)) context.addIssue({ code: 'custom', path: [option], message: why });
});

export type SimulateOptions = z.input<typeof simulateOptionsSchema>;
export interface SimulateSettings extends z.output<typeof simulateOptionsSchema> {
  readonly topology: Topology;
  /** The policy under whichever name it came. */
  readonly prompt: string;
  /** Rows at most. */
  readonly rows: number;
}

const unlimited = 50_000;

/**
 * Check the options of a simulation and settle what they mean together. Nothing has run when it throws.
 *
 * @throws TM_OPTIONS - the message names the option
 */
export function simulateSettings(given: SimulateOptions): SimulateSettings {
  const options = parseOptions('simulate', simulateOptionsSchema, given);
  const nothing =
    !options.agent && !options.backend && !options.tools && !options.systemPrompt && !options.policy && !options.spec;
  if (nothing) throw new TracemillError('TM_OPTIONS', 'simulate: give an agent, tools or a systemPrompt to begin with');
  return {
    ...options,
    topology: resolveTopology(options),
    prompt: options.systemPrompt || options.policy || '',
    rows: options.budget ?? unlimited,
  };
}
