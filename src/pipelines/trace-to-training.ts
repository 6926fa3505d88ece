import { resolve } from 'node:path';
import { z } from 'zod';
import { rolloutWatch } from '../agents/rollout-watch.ts';
import { compose } from '../core/compose.ts';
import { parseOptions } from '../core/operator.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import type { Judge } from '../judges/judge.ts';
import { aim } from '../operators/aim.ts';
import { bandFilter } from '../operators/band-filter.ts';
import { dedupe } from '../operators/dedupe.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { dropUnreadableCalls } from '../operators/drop-unreadable-calls.ts';
import { judge } from '../operators/judge.ts';
import { ungroup } from '../operators/ungroup.ts';
import { world } from '../operators/world.ts';
import { writer } from '../operators/writer.ts';
import { type Ask, askSchema } from '../rows/ask.ts';
import { type Group, groupSchema } from '../rows/group.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { type Situation, situationSchema } from '../rows/situation.ts';
import { toolsFrom } from '../rows/tool.ts';
import { trainingParts } from '../sinks/training-parts.ts';
import { rowsSource } from '../sources/rows.ts';
import { evaluateStages } from './evaluate.ts';
import { evaluationStages } from './evaluation-stages.ts';
import { groupStage } from './group-stage.ts';
import { definePipeline, needed, type PipelinePorts } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';
import { worldStage } from './simulate/world-stage.ts';

const { maxConcurrent, timeoutMs } = world.spec.options.shape;
const { perFailure, perPass } = aim.spec.options.shape;
const { lo, hi, truncated } = bandFilter.spec.options.shape;
const { format } = trainingParts.options.shape;

const options = z.strictObject({
  tools: aim.spec.options.shape.tools,
  systemPrompt: aim.spec.options.shape.systemPrompt,
  perFailure,
  perPass,
  k: z.int().min(2).default(8).describe('Rollouts of each ask; all of them make its group.'),
  lo,
  hi,
  truncated,
  maxConcurrent,
  timeoutMs,
  seed: z.int().default(0).describe('Seed of the run: another one plays the same situations in other words.'),
  out: z.string().min(1).describe('Folder of the training set.'),
  format,
  partRows: trainingParts.options.shape.partRows,
  waitMs: trainingParts.options.shape.waitMs,
  evaluation: z
    .union([z.literal('topic'), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'What must not be trained on: files of rows, or `topic`: rows of the topic `evaluation`, which may grow and then take back what they contaminate. Needs Kafka.',
    ),
});
type Options = z.output<typeof options>;

/**
 * Traces in, training rows out: grade each trace, play what it calls for on the grid k times against the mock world, grade
 * the rollouts, and keep the groups that disagree. A situation is played once a run, whatever number of traces calls for it.
 */
export function traceToTrainingStages(
  given: z.input<typeof options>,
  ports: Required<Pick<PipelinePorts, 'agent' | 'judge'>>,
): readonly AnyStage[] {
  return stagesOf(parseOptions('traceToTraining', options, given), ports);
}

function stagesOf(
  { evaluation, ...given }: Options,
  { agent, user, judge: grader, folder }: PipelinePorts,
): readonly AnyStage[] {
  const {
    tools: list,
    systemPrompt,
    perFailure,
    perPass,
    k,
    lo,
    hi,
    truncated,
    maxConcurrent,
    timeoutMs,
    seed,
  } = given;
  const tools = toolsFrom(list).map((tool) => ({ ...tool }));
  const calls = { maxConcurrent, timeoutMs };
  const scorer = needed('traceToTraining', 'judge', grader);
  return [
    traceJudgeStage(calls, scorer),
    defineStage<Row, Situation>({
      name: 'aim',
      from: 'graded_traces',
      to: 'situations',
      reads: rowSchema,
      writes: situationSchema,
      key: ({ scenario_id }) => scenario_id,
      id: ({ scenario_id }) => scenario_id,
      per: 'record',
      operator: () => aim({ tools, systemPrompt, perFailure, perPass, seed }),
    }),
    defineStage<Situation, Ask>({
      name: 'writer',
      from: 'situations',
      to: 'asks',
      reads: situationSchema,
      writes: askSchema,
      key: ({ scenario_id }) => scenario_id,
      id: ({ ask_id, rollout_index }) => `${ask_id}#${rollout_index}`,
      per: 'task',
      operator: () => compose(dedupe<Situation>({ by: ['scenario_id'] }), writer({ tools, seed, repeats: k })),
    }),
    worldStage(
      { tools, systemPrompt, ...calls },
      { agent: needed('traceToTraining', 'agent', agent), user, watch: rolloutWatch() },
    ),
    ...evaluateStages(calls, { judge: scorer }),
    groupStage({ k }),
    defineStage<Group, Row>({
      name: 'band',
      from: 'groups',
      to: 'selected',
      reads: groupSchema,
      writes: rowSchema,
      ...rowIdentity,
      per: 'record',
      operator: () => compose(bandFilter({ lo, hi, truncated }), ungroup({ truncated }), dropUnreadableCalls({})),
    }),
    ...(evaluation === undefined
      ? []
      : evaluationStages(evaluation === 'topic' ? evaluation : evaluation.map((path) => resolve(folder ?? '.', path)))),
  ];
}

function traceJudgeStage(calls: { maxConcurrent: number; timeoutMs: number }, grader: Judge): AnyStage {
  return defineStage<Row, Row>({
    name: 'judge-traces',
    from: 'traces',
    to: 'graded_traces',
    reads: rowSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    readsAnswerKeys: true,
    operator: () => compose(dropRedelivered({}), judge<Row>(calls, { judge: grader })),
  });
}

/** The loop by its name: traces of files or of a topic in, a training set that grows in parts out. */
export const traceToTrainingPipeline = definePipeline({
  name: 'traceToTraining',
  summary: 'Play what production traces call for, and grow a training set of what teaches, until stopped.',
  options,
  example: {
    tools: [{ name: 'get_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } }],
    out: 'training',
    evaluation: 'topic',
  },
  open(settings, ports) {
    const place = resolve(ports.folder ?? '.', settings.out);
    return {
      stages: stagesOf(settings, ports),
      source: ports.files && rowsSource({ paths: [...ports.files], latest: false }),
      input: rowIdentity,
      ...endsOf(settings, place),
      place,
    };
  },
});

/** Where the training rows end, and what takes them back. */
function endsOf({ format, partRows, waitMs, evaluation }: Options, folder: string) {
  const parts = () => trainingParts({ folder, format, partRows, waitMs });
  if (evaluation === undefined) return { out: 'selected', sinks: { selected: parts() } };
  return { out: 'clean', sinks: { clean: parts(), ...(evaluation === 'topic' && { retractions: parts() }) } };
}
