import { rename } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { deliveryKey } from '../rows/delivery-key.ts';
import { exportRow } from '../rows/export-row.ts';
import { type AnswerKey, answerKeyPath, splitAnswerKey } from '../rows/privileged.ts';
import type { Row } from '../rows/row.ts';
import { type JsonlSink, jsonlSink } from './jsonl.ts';

const options = z.strictObject({
  path: z.string().min(1).describe('File of rows; `-` is the standard output, without answer keys.'),
  isResumed: z.boolean().default(false).describe('Add the rows that an earlier, unfinished run has not written.'),
});

/**
 * Write the rows of a run: what may leave to the file, answer keys to a file of their own that only its owner can read.
 * Without `isResumed` the file is replaced when all is written; until then the rows stand in `<path>.partial`.
 *
 * @throws TM_SINK - the files cannot be written
 */
export function rowsSink(config: z.input<typeof options>): Sink<Row> & Pick<JsonlSink<Row>, 'found'> {
  const { path, isResumed } = parseOptions('rows', options, config);
  const mode = isResumed ? 'resume' : 'overwrite';
  const rows = jsonlSink<Row>({ path, mode }, idOf);
  const keys =
    path === '-' ? undefined : jsonlSink<AnswerKey>({ path: answerKeyPath(path), mode, isPrivate: true }, keyOf);
  const known = new Set<string>();
  let begun: Promise<void> | undefined;
  return {
    async write(batch) {
      begun ??= isResumed && path !== '-' ? continued(path) : Promise.resolve();
      await begun;
      const parts = batch.map((row) => splitAnswerKey(row));
      const news = parts.flatMap(({ key }) => (key && known.size < known.add(key.task_key).size ? [key] : []));
      if (keys && news.length > 0) await keys.write(news);
      await rows.write(parts.map(({ row }) => exportRow(row)));
    },
    async finish() {
      if (known.size > 0) await keys?.finish?.();
      await rows.finish?.();
    },
    async close() {
      await Promise.all([rows.close(), keys?.close()]);
    },
    found: () => rows.found(),
  };
}

/** Without an id two equal replies cannot be told apart, and going on would lose one. */
function idOf(row: Row): string {
  const id = deliveryKey(row);
  if (id !== undefined) return id;
  throw new TracemillError(
    'TM_ROW',
    'a row has neither rollout_id nor scenario_id with rollout_index; import its file first',
  );
}

const keyOf = ({ task_key }: AnswerKey) => task_key;

/** A run that was killed left its rows beside the file: they are what is gone on from. */
async function continued(path: string): Promise<void> {
  for (const file of [path, answerKeyPath(path)])
    try {
      await rename(`${file}.partial`, file);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw new TracemillError('TM_SINK', file, { cause });
    }
}
