import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lastValueFrom } from 'rxjs';
import type { OperatorCounts } from '../core/counters.ts';
import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { makeFolder } from '../core/make-folder.ts';
import type { Rejection } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { stoppable } from '../core/stoppable.ts';
import type { Sink } from '../core/to-sink.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { cleanedRejection } from '../pipelines/cleaned-rejection.ts';
import { heardSinks } from '../pipelines/hear.ts';
import { inMemory } from '../pipelines/in-memory.ts';
import type { Feedback } from '../pipelines/pipeline.ts';
import type { TimeBook } from '../rows/rollout-times.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { scrub } from '../rows/scrub.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { firstRejections, type RejectionCount, rejectionCounts } from './rejections.ts';
import { alsoSpans } from './spans-out.ts';
import { shown } from './watching.ts';

interface RowRun<Row> {
  readonly stages: readonly AnyStage[];
  readonly source: Source<Row>;
  readonly sinks: Readonly<Record<string, Sink<never>>>;
  /** Where rejected rows go; without it they are counted only. */
  readonly rejected?: Rejected | undefined;
  /** Told of every row that is not kept. */
  readonly left?: ((rejections: readonly Rejection<unknown>[]) => Promise<void>) | undefined;
  /** Told of every row that is not kept, at once: before any sink finishes. */
  readonly lost?: (rejection: Rejection<unknown>) => void;
  /** What the source waits for. */
  readonly feedback?: Feedback | undefined;
  readonly maxInFlight?: number;
  /** When its rollouts are played and judged, for the spans that are sent of them. */
  readonly times?: TimeBook;
  /** What the progress line says, from the counters. */
  readonly words: (counts: readonly OperatorCounts[]) => string;
}

export interface RowOutcome {
  readonly counts: readonly OperatorCounts[];
  /** What was not kept, with the first of each kind and the file that holds it. */
  readonly rejected: readonly RejectionCount[];
  readonly isStopped: boolean;
}

/** Run stages for a command: progress on stderr, rejections to a file, a signal ends it in order. */
export async function runRows<Row>(
  io: Io,
  { words, rejected, left, lost, source, feedback, times, ...run }: RowRun<Row>,
): Promise<RowOutcome> {
  const show = shown(run.sinks, io.watching);
  const { counters } = show;
  const { firsts, add } = firstRejections();
  const hooks = {
    ...counters.hooks,
    reject(said: Rejection<unknown>): void {
      counters.hooks.reject?.(said);
      add(said);
      lost?.(said);
    },
  };
  const bar = progress(io, () => words(counters.snapshot()));
  const letters = alsoTold(rejected === undefined ? noSink : rejectionsFile(rejected), left);
  try {
    const sinks = alsoSpans(show.sinks, io, { times });
    const stored = feedback ? heardSinks(feedback, sinks, letters) : { sinks, rejected: letters };
    const ends = { source: stoppable(source, io.stop), hooks, ...stored };
    await lastValueFrom(inMemory(run.stages, { ...run, ...ends }), { defaultValue: undefined });
  } finally {
    bar.end();
    show.end();
  }
  const counts = counters.snapshot();
  return { counts, rejected: rejectionCounts(counts, firsts, rejected?.path), isStopped: io.stop.aborted };
}

/** Where the rows that are not kept go. */
interface Rejected {
  readonly path: string;
  /** Add to what an earlier, unfinished run rejected. */
  readonly isResumed?: boolean;
  /** What else must not lie on disk in clear. Answer keys never do. */
  readonly clean?: (row: unknown) => unknown;
}

/** A file of rejections, for its owner only; none is left when nothing was rejected. */
function rejectionsFile({ path, isResumed = false, clean = (row) => row }: Rejected): Sink<Rejection<unknown>> {
  const mode = isResumed ? 'append' : 'overwrite';
  const sink = jsonlSink<Rejection<unknown>>({ path, mode, isPrivate: true });
  let wrote = false;
  return {
    write(rejections) {
      wrote = true;
      return sink.write(rejections.map((one) => cleanedRejection(one, (value) => withoutKeys(clean(value)))));
    },
    async finish() {
      if (wrote) await sink.finish?.();
      else if (!isResumed) await rm(path, { force: true }); // of an earlier run
    },
    close: () => sink.close(),
  };
}

function alsoTold(sink: Sink<Rejection<unknown>>, left: RowRun<unknown>['left']): Sink<Rejection<unknown>> {
  if (!left) return sink;
  let stored: readonly unknown[] | undefined; // a batch that comes again because it was not told is not written twice
  return {
    ...sink,
    async write(rejections) {
      if (stored !== rejections) await sink.write(rejections);
      stored = rejections;
      await left(rejections);
    },
  };
}

const withoutKeys = (row: unknown): unknown => (isObject(row) ? scrub(row) : row);

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
const readOnce = defineStage<Row, Row>({
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

/**
 * Refuse to write a file that is also read: what went in would be gone, and with `--resume` each row be written again.
 *
 * @throws TM_OPTIONS - `out` is one of the files, under whatever name
 */
export async function checkNotRead(paths: readonly string[], out: string): Promise<void> {
  const place = await stat(out).catch(() => undefined); // not there yet
  for (const path of place ? paths : []) {
    const from = await stat(path).catch(() => undefined); // the source says what is wrong with it
    if (from?.ino === place?.ino && from?.dev === place?.dev)
      throw new TracemillError('TM_OPTIONS', `${out} is read and written; name another --out`);
  }
}

/** Whether there is a file that a run would take the place of. */
export const isFileAt = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false, // not there, or not ours to see
  );

/** Whether there was something to read and none of it was a row. */
export const isAllRejected = (counts: readonly OperatorCounts[]): boolean =>
  rowsOf(counts, 'source', 'in') > 0 &&
  counts.every(({ operator, in: taken }) => ['source', 'sink'].includes(operator) || taken === 0);

/** Make the folder of a file to write, as a user of `--out some/new/folder/rows.jsonl` expects. */
export async function makeFolderOf(out: string): Promise<void> {
  if (out === '-') return;
  try {
    await makeFolder(dirname(out));
  } catch (cause) {
    throw new TracemillError('TM_SINK', `the folder of ${out} cannot be made`, { cause });
  }
}

/** The file for the rejected rows of a file of rows; none for the standard output. */
export const rejectedBeside = (out: string, more: Omit<Rejected, 'path'> = {}): Rejected | undefined =>
  out === '-' ? undefined : { ...more, path: `${out.replace(/\.(jsonl|parquet)$/, '')}.rejected.jsonl` };

/** Rows of one operator so far: what it took, or what it gave. */
export const rowsOf = (counts: readonly OperatorCounts[], operator: string, side: 'in' | 'out'): number =>
  counts.filter((one) => one.operator === operator).reduce((sum, one) => sum + one[side], 0);
