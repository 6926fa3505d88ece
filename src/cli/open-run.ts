import { resolve } from 'node:path';
import { z } from 'zod';
import { agentFrom } from '../agents/agent-from.ts';
import { TracemillError } from '../core/errors.ts';
import type { AnyStage } from '../core/stage.ts';
import type { Sink } from '../core/to-sink.ts';
import { judgeChoices, judgeFromSpec } from '../judges/from-spec.ts';
import { folderCache } from '../models/folder-cache.ts';
import { createModels } from '../models/models.ts';
import type { OpenPipeline, Pipeline, PipelinePorts } from '../pipelines/pipeline.ts';
import { pipelineNamed } from '../pipelines/registry.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { type Tool, toolsFrom } from '../rows/tool.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { rowsSink } from '../sinks/rows.ts';
import { rowsSource } from '../sources/rows.ts';
import { brokerFlags } from './brokers.ts';
import { chooseAgent } from './choose-agent.ts';
import type { Io } from './io.ts';
import { readInput, readTools } from './read-inputs.ts';
import { type FoundConfig, type RunConfig, readRunConfig } from './run-config.ts';
import { readRows, rowsOf } from './run-rows.ts';

/** Flags of what runs a pipeline. Each wins over the config. */
export const runFlags = {
  config: z
    .string()
    .optional()
    .describe('Config file, YAML or JSON, the same for every bus; tracemill.yaml where it is there.'),
  prefix: z.string().min(1).optional().describe('What topics and groups begin with; the name of the pipeline.'),
  agent: z.string().optional().describe('Who plays: a module ./agent.mjs#name, or seeded.'),
  judge: z.string().optional().describe(`Who grades: ${judgeChoices}.`),
  cache: z
    .string()
    .optional()
    .describe('Folder of the replies of models: a request that is made again is answered from it; .tracemill/replies.'),
  in: z.array(z.string()).optional().describe('Files of the rows that go in.'),
  out: z.string().optional().describe('File for the rows that come out.'),
  transactional: z
    .boolean()
    .default(false)
    .describe('On Kafka, store rows and offsets in one transaction: readers of committed records see each row once.'),
  ...brokerFlags,
};
export type RunFlags = z.output<z.ZodObject<typeof runFlags>>;

/** A pipeline as the flags and the config set it up. */
export interface OpenRun {
  readonly pipeline: Pipeline;
  readonly opened: OpenPipeline;
  readonly prefix: string;
  /** Files of the rows that come out, by kind. */
  readonly outs: Readonly<Record<string, string>>;
  readonly found: FoundConfig;
  /** What decides the rows: an unfinished run goes on under the same only. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Tools and policy of the agent, where files of their own hold them. */
  readonly harness: Harness;
}

interface Harness {
  readonly tools?: readonly Tool[];
  readonly systemPrompt?: string;
}

/**
 * Set a run up.
 *
 * @throws TM_OPTIONS - no pipeline, an unknown option, a missing agent or judge, a file that cannot be read
 */
export async function openRun(name: string | undefined, flags: RunFlags, io: Io): Promise<OpenRun> {
  const found = await readRunConfig(flags.config, process.env);
  const { config } = found;
  const at = placeIn(found.folder);
  const pipeline = pipelineNamed(named(name, config.pipeline));
  const harness = await harnessOf(config, at);
  const options = { ...config.options, ...harness };
  const files = flags.in ?? [config.in ?? []].flat().map(at);
  const who = { agent: flags.agent ?? config.agent, judge: flags.judge ?? judgeWord(config.judge) };
  const opened = pipeline.open(options, {
    ...(await players(flags, found, options)),
    files: files.length > 0 ? files : undefined,
    folder: found.folder,
    tasks: config.tasks === undefined ? undefined : await tasksOf(at(config.tasks), io),
  });
  return {
    pipeline,
    opened,
    prefix: flags.prefix ?? config.prefix ?? pipeline.name,
    outs: outsOf(flags.out, config.out, opened.out, at),
    found,
    settings: { pipeline: pipeline.name, ...who, files, tasks: config.tasks, options: config.options },
    harness,
  };
}

const usualCache = '.tracemill/replies';

type At = (path: string) => string;

const placeIn =
  (folder: string): At =>
  (path) =>
    path === '-' ? path : resolve(folder, path);

/** The tools and the policy of the agent, which stand in files of their own. */
async function harnessOf({ tools, policy }: RunConfig, at: At): Promise<Harness> {
  return {
    ...(tools !== undefined && { tools: [...(await readTools(at(tools)))] }),
    ...(policy !== undefined && { systemPrompt: await readInput(at(policy), 'policy') }),
  };
}

/** Who plays and who grades. A module that a flag names lies in this folder, one of the config beside the config. */
async function players(
  flags: RunFlags,
  { config, folder }: FoundConfig,
  options: Readonly<Record<string, unknown>>,
): Promise<Pick<PipelinePorts, 'agent' | 'user' | 'judge'>> {
  const from = (flag: string | undefined) => (flag === undefined ? folder : process.cwd());
  const [agent, judge] = [flags.agent ?? config.agent, flags.judge ?? judgeWord(config.judge)];
  const tools = agent === undefined || options['tools'] === undefined ? [] : toolsFrom(options['tools']);
  const models = createModels({}, { cache: folderCache(flags.cache ?? resolve(folder, config.cache ?? usualCache)) });
  const seed = typeof options['seed'] === 'number' ? options['seed'] : 0;
  return {
    ...(agent !== undefined &&
      (await agentFrom(chooseAgent(agent, tools, seed), { models, tools, folder: from(flags.agent) }))),
    ...(judge !== undefined && { judge: await judgeFromSpec(judge, { cwd: from(flags.judge), models }) }),
  };
}

/** A judge that the config describes, as the word that stands for it. */
const judgeWord = (judge: RunConfig['judge']): string | undefined =>
  typeof judge === 'object' ? JSON.stringify(judge) : judge;

function outsOf(flag: string | undefined, config: RunConfig['out'], kind: string, at: At): Record<string, string> {
  const files = typeof config === 'string' ? { [kind]: config } : (config ?? {});
  const placed = Object.entries(files).map(([one, path]) => [one, at(path)]);
  return { ...Object.fromEntries(placed), ...(flag !== undefined && { [kind]: flag }) };
}

function named(given: string | undefined, config: string | undefined): string {
  if (given !== undefined && config !== undefined && given !== config)
    throw new TracemillError('TM_OPTIONS', `the pipeline is ${given}, and the config is of ${config}`);
  const name = given ?? config;
  if (name !== undefined) return name;
  throw new TracemillError('TM_OPTIONS', 'no pipeline is named, neither here nor in the config');
}

async function tasksOf(path: string, io: Io): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await readRows(io, {
    source: rowsSource({ paths: [path] }),
    each: (row) => rows.push(row),
    words: (now) => `tasks: ${rowsOf(now, 'source', 'out')} rows read`,
  });
  return rows;
}

/**
 * Make the sinks of the files. On Kafka a file goes on where it is, and a row is in it once, by its id; in memory it is
 * replaced when all is written.
 *
 * @throws TM_OPTIONS - no stage writes rows of that kind
 */
export function fileSinks(
  { opened, outs }: OpenRun,
  { isContinued, stop }: { readonly isContinued: boolean; readonly stop: AbortSignal },
): Readonly<Record<string, Sink<never>>> {
  const kinds = kindsWritten(opened.stages);
  const sinks = Object.entries(outs).map(([kind, path]) => {
    if (opened.sinks?.[kind])
      throw new TracemillError(
        'TM_OPTIONS',
        `out: the pipeline writes ${kind} to ${opened.place ?? 'a sink of its own'}, and a kind has one place`,
      );
    const found = kinds.get(kind);
    if (!found)
      throw new TracemillError(
        'TM_OPTIONS',
        `out.${kind}: no stage writes it; there are ${[...kinds.keys()].join(', ')}`,
      );
    if (found.schema === rowSchema) return [kind, rowsSink({ path, isResumed: isContinued }, { stop })];
    return [kind, jsonlSink<never>({ path, mode: isContinued ? 'resume' : 'overwrite' }, found.id)];
  });
  return Object.fromEntries(sinks) as Record<string, Sink<never>>;
}

function kindsWritten(stages: readonly AnyStage[]) {
  const kinds = stages.flatMap(({ to, writes, id, views = [] }) => [
    { to, schema: writes as z.ZodType, id },
    ...views.map((view) => ({ to: view.to, schema: view.schema as z.ZodType, id: view.id })),
  ]);
  return new Map(kinds.map(({ to, ...kind }) => [to, kind]));
}
