import type { z } from 'zod';
import type { Agent } from '../agents/agent.ts';
import type { Players } from '../agents/agent-from.ts';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import type { AnyStage } from '../core/stage.ts';
import type { Sink } from '../core/to-sink.ts';
import type { Judge } from '../judges/judge.ts';
import type { Row } from '../rows/row.ts';

/** What a pipeline is opened with besides its options: what is no data. */
export interface PipelinePorts {
  /** Who plays. */
  readonly agent?: Agent | undefined;
  /** The person that a model agent talks to. */
  readonly user?: Players['user'] | undefined;
  /** Who grades. */
  readonly judge?: Judge | undefined;
  /** Files of the rows that go in. */
  readonly files?: readonly string[] | undefined;
  /** Tasks of an earlier run, to be played again. */
  readonly tasks?: Iterable<Row> | undefined;
  /** Folder that paths among the options start from; the current one without it. */
  readonly folder?: string | undefined;
}

/** How a source hears what came of its rows that decides by it. */
export interface Feedback {
  /** Kind of the rows that answer those of the source. */
  readonly kind: string;
  /** A row of that kind is stored. Those of an earlier run are told before the source is read, and any may be told twice. */
  answered(row: Row): void;
  /** A row of the source, or what was made of it, was rejected. */
  lost(row: unknown): void;
}

/** A pipeline as `inMemory` and `onKafka` run it. */
export interface OpenPipeline {
  readonly stages: readonly AnyStage[];
  /** Rows of the kind that the first stage reads; absent when they come from somebody else's topic. */
  readonly source?: Source<unknown> | undefined;
  /** How the rows of the source are placed and told apart on their topic. */
  readonly input: { key(row: never): string; id(row: never): string };
  /** What the source waits for. Without it the source knows its rows from the start. */
  readonly feedback?: Feedback | undefined;
  /** Kind of the rows that come out. */
  readonly out: string;
  /** Sinks of its own, by kind: those that a file of rows cannot stand for. */
  readonly sinks?: Readonly<Record<string, Sink<never>>>;
  /** Where the sinks of its own write; what else is told of a run lies beside it. */
  readonly place?: string;
  /** Records that may move at the same time. */
  readonly maxInFlight?: number;
}

interface PipelineSpec<S extends z.ZodObject> {
  /** As it is called on the command line; also the prefix of its topics when no other is given. */
  readonly name: string;
  readonly summary: string;
  /** What is data: it stands in a config file, and every worker is given the same. */
  readonly options: S;
  /** Options that open it, the fewest: its topics are told from it, in the reference and by `topics create`. */
  readonly example: z.input<S>;
  /** Called once in each process that runs a part of it. Nothing is read before the source is. */
  readonly open: (options: z.output<S>, ports: PipelinePorts) => OpenPipeline;
}

/** A pipeline that can be run by its name, in memory and on Kafka alike. */
export interface Pipeline extends Omit<PipelineSpec<z.ZodObject>, 'open'> {
  /**
   * Open it from options that are not checked yet.
   *
   * @throws TM_OPTIONS - an option is unknown or out of range, or a port is missing
   */
  readonly open: (options: unknown, ports?: PipelinePorts) => OpenPipeline;
}

/** Declare a pipeline that can be run by its name. */
export function definePipeline<S extends z.ZodObject>(spec: PipelineSpec<S>): Pipeline {
  return {
    ...spec,
    open: (options, ports = {}) => spec.open(parseOptions(spec.name, spec.options, options), ports),
  };
}

const nobody = () => {
  throw new TracemillError('TM_OPTIONS', 'a pipeline that was opened for its shape is not run');
};

/** Open a pipeline as far as its stages and topics show, with neither agent, judge nor options of its own. */
export const shapeOf = (pipeline: Pipeline): OpenPipeline =>
  pipeline.open(pipeline.example, { agent: nobody, judge: nobody });

/**
 * A port that a pipeline cannot do without.
 *
 * @throws TM_OPTIONS - it is not there
 */
export function needed<T>(pipeline: string, port: keyof PipelinePorts, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new TracemillError('TM_OPTIONS', `${pipeline}: no ${port} is given, and it needs one`);
}
