import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { createCounters, type OperatorCounts } from '../core/counters.ts';
import { TracemillError } from '../core/errors.ts';
import type { Rejection } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { stoppable } from '../core/stoppable.ts';
import type { Sink } from '../core/to-sink.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { inMemory } from '../pipelines/in-memory.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';

interface RowRun<Row> {
  readonly stages: readonly AnyStage[];
  readonly source: Source<Row>;
  readonly sinks: Readonly<Record<string, Sink<never>>>;
  /** Where rejected rows go; without it they are counted, and the first of each reason is kept. */
  readonly rejectedPath?: string | undefined;
  readonly maxInFlight?: number;
  /** What the progress line says, from the counters. */
  readonly words: (counts: readonly OperatorCounts[]) => string;
}

export interface RowOutcome {
  readonly counts: readonly OperatorCounts[];
  /** The first rejection of each operator and reason. */
  readonly examples: readonly Rejection<unknown>[];
  readonly isStopped: boolean;
}

/** Run stages for a command: progress on stderr, rejections to a file, a signal ends it in order. */
export async function runRows<Row>(io: Io, { words, rejectedPath, source, ...run }: RowRun<Row>): Promise<RowOutcome> {
  const examples = new Map<string, Rejection<unknown>>();
  const counters = createCounters({
    reject(said) {
      const key = `${said.by} ${said.reason}`;
      if (!examples.has(key)) examples.set(key, said);
    },
  });
  const bar = progress(io, () => words(counters.snapshot()));
  const rejected = rejectedPath === undefined ? noSink : onlyIfAny(rejectedPath);
  try {
    const all = inMemory(run.stages, { ...run, source: stoppable(source, io.stop), rejected, hooks: counters.hooks });
    await lastValueFrom(all, { defaultValue: undefined });
  } finally {
    bar.end();
  }
  return { counts: counters.snapshot(), examples: [...examples.values()], isStopped: io.stop.aborted };
}

/** A file of rejections; none is left when nothing was rejected. */
function onlyIfAny(path: string): Sink<Rejection<unknown>> {
  const sink = jsonlSink<Rejection<unknown>>({ path, mode: 'overwrite' });
  let wrote = false;
  return {
    write(rows) {
      wrote = true;
      return sink.write(rows);
    },
    async finish() {
      if (wrote) await sink.finish?.();
      else await rm(path, { force: true }); // of an earlier run
    },
    close: () => sink.close(),
  };
}

const noSink: Sink<Rejection<unknown>> = { write: async () => {}, close: async () => {} };

interface RowReading {
  readonly source: Source<Row>;
  readonly each: (row: Row) => void;
  readonly words: RowRun<Row>['words'];
}

/** Read rows for a report: each is seen once, and nothing is written. */
export function readRows(io: Io, { each, ...reading }: RowReading): Promise<RowOutcome> {
  const seen: Sink<Row> = { write: async (rows) => rows.forEach(each), close: async () => {} };
  return runRows(io, { ...reading, stages: [readOnce], sinks: { read: seen } });
}

/** A report counts a row once, however often it was delivered. */
export const readOnce = defineStage<Row, Row>({
  name: 'read',
  from: 'rows',
  to: 'read',
  reads: rowSchema,
  writes: rowSchema,
  key: taskKey,
  id: rowKey,
  per: 'record',
  operator: () => dropRedelivered({}),
});

/** A sink that also tells what it wrote, row by row. */
export const telling = <Row>(sink: Sink<Row>, tell: (row: Row) => void): Sink<Row> => ({
  ...sink,
  async write(rows) {
    await sink.write(rows);
    for (const row of rows) tell(row);
  },
});

/** Make the folder of a file to write, as a user of `--out some/new/folder/rows.jsonl` expects. */
export async function makeFolderOf(out: string): Promise<void> {
  if (out === '-') return;
  try {
    await mkdir(dirname(out), { recursive: true });
  } catch (cause) {
    throw new TracemillError('TM_SINK', `the folder of ${out} cannot be made`, { cause });
  }
}

/** Where the rejected rows of a file of rows go; none for the standard output. */
export const rejectedPathOf = (out: string): string | undefined =>
  out === '-' ? undefined : `${out.replace(/\.jsonl$/, '')}.rejected.jsonl`;

/** Rows of one operator so far: what it took, or what it gave. */
export const rowsOf = (counts: readonly OperatorCounts[], operator: string, side: 'in' | 'out'): number =>
  counts.filter((one) => one.operator === operator).reduce((sum, one) => sum + one[side], 0);
