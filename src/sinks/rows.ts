import { rename, rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { fileBytes } from '../core/file-bytes.ts';
import { jsonIn } from '../core/json.ts';
import { createKeySet } from '../core/key-set.ts';
import { splitLines } from '../core/lines.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { exportRow } from '../rows/export-row.ts';
import { type AnswerKey, answerKeyPath, splitAnswerKey } from '../rows/privileged.ts';
import { revisionOf, revisions } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';
import { jsonlSink } from './jsonl.ts';
import { keepLatest } from './latest-rows.ts';

const options = z.strictObject({
  path: z.string().min(1).describe('File of rows; `-` is the standard output, without answer keys.'),
  isResumed: z.boolean().default(false).describe('Add the rows that an earlier, unfinished run has not written.'),
});

interface Ports {
  /** Told of each row of the file, once: what an earlier run left, then what is written. */
  readonly tell?: (row: Row) => void;
  /** Aborted when the run is stopped: an older, whole file is not replaced by a part then. */
  readonly stop?: AbortSignal;
  /** Asked when all is written: whether the rows are worth an older file. What is not stays in `<path>.partial`. */
  readonly isWorth?: () => boolean;
}

/** The rows of a run on disk. */
export interface RowsSink extends Sink<Row> {
  /** Read what an earlier run left, with `isResumed`. Call it before rows come. */
  open(): Promise<void>;
  /** Whether an earlier run wrote this rollout. Known once it is open. */
  has(row: Row): boolean;
}

const maxRows = 2 ** 23;
const longestLine = 2 ** 26;

/**
 * Write the rows of a run: what may leave to the file, answer keys to a file of their own that only its owner can read.
 * Of a trace that is told again, the highest revision is kept when the run ends, and nothing of what was retracted. Without
 * `isResumed` the file is replaced when all is written; until then, and after a kill, the rows stand in
 * `<path>.partial`, where `isResumed` goes on. Memory: with `isResumed` a hash a row; one name a task with an answer key.
 *
 * @throws TM_ROW - with `isResumed`: a row without an id, which could not be told from another
 * @throws TM_SINK - the files cannot be written
 */
export function rowsSink(
  config: z.input<typeof options>,
  { tell = () => {}, stop, isWorth = () => true }: Ports = {},
): RowsSink {
  const { path, isResumed } = parseOptions('rows', options, config);
  const isFile = path !== '-';
  const keysPath = answerKeyPath(path);
  const mode = isResumed ? 'append' : 'overwrite';
  const rows = jsonlSink<Row>({ path, mode });
  const keys = isFile ? jsonlSink<AnswerKey>({ path: keysPath, mode, isPrivate: true }) : undefined;
  const keyed = new Set<string>();
  const told = revisions();
  const done = isResumed && isFile ? createKeySet(maxRows) : undefined;
  let opened: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    if (!done) return;
    await Promise.all([continued(path), continued(keysPath)]);
    for await (const row of linesOf<Row>(path)) {
      if (!done.add(idOf(row))) continue;
      told.saw(row);
      tell(row);
    }
    for await (const { task_key } of linesOf<AnswerKey>(keysPath)) keyed.add(task_key);
  };
  const open = (): Promise<void> => {
    opened ??= load();
    return opened;
  };
  return {
    open,
    has: (row) => done?.has(idOf(row)) ?? false,
    async write(batch) {
      await open();
      const news = done ? unseen(batch, (row) => done.has(idOf(row))) : batch;
      const parts = news.map((row) => splitAnswerKey(row));
      const newKeys = new Map(
        parts.flatMap(({ key }) => (key && !keyed.has(key.task_key) ? [[key.task_key, key]] : [])),
      );
      if (keys && newKeys.size > 0) await keys.write([...newKeys.values()]);
      for (const task of newKeys.keys()) keyed.add(task); // only now: a batch that failed comes again
      await rows.write(parts.map(({ row }) => exportRow(row)));
      for (const row of news) {
        done?.add(idOf(row));
        told.saw(row);
        tell(row);
      }
    },
    async finish() {
      await open();
      const isKept = stop?.aborted || (!isResumed && !isWorth());
      if (isKept && (await isThere(path))) return; // what there is stays in `.partial`, to be gone on from
      if (keyed.size > 0) await keys?.finish?.();
      else if (keys) await rm(keysPath, { force: true }); // keys of an earlier run would be joined to these rows
      await rows.finish?.();
      if (isFile && told.isStale()) await keepLatest(path, told);
    },
    async close() {
      await Promise.all([rows.close(), keys?.close()]);
    },
  };
}

/** Rows that are not there yet, each once. */
function unseen(batch: readonly Row[], isKnown: (row: Row) => boolean): readonly Row[] {
  const here = new Set<string>();
  return batch.filter((row) => !isKnown(row) && here.size < here.add(idOf(row)).size);
}

/** Names a rollout whatever graded it. Without a name two equal replies cannot be told apart, and going on would lose one. */
function idOf(row: Row): string {
  const { rollout_id, scenario_id, rollout_index, lineage } = row;
  const name =
    rollout_id || (scenario_id !== undefined && typeof rollout_index === 'number' && [scenario_id, rollout_index]);
  if (!name)
    throw new TracemillError(
      'TM_ROW',
      'a row has neither rollout_id nor scenario_id with rollout_index; import its file first',
    );
  const revision = revisionOf(row);
  return JSON.stringify([name, lineage?.['eval_run'] ?? 0, ...(revision === 0 ? [] : [revision])]);
}

/** A run that was killed left its rows beside the file. */
async function continued(file: string): Promise<void> {
  try {
    await rename(`${file}.partial`, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw new TracemillError('TM_SINK', file, { cause });
  }
}

/** The whole lines of a file that this sink wrote; none when there is no file. */
async function* linesOf<T>(path: string): AsyncGenerator<T> {
  if (!(await isThere(path))) return;
  const lines = splitLines(fileBytes(path), longestLine);
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const value = jsonIn(next.value.text);
    if (value !== undefined) yield value as T;
  }
}

const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false, // not there, or not ours to see
  );
