import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { exportRow } from '../rows/export-row.ts';
import { type AnswerKey, answerKeyPath, splitAnswerKey } from '../rows/privileged.ts';
import type { Row } from '../rows/row.ts';
import { jsonlSink } from './jsonl.ts';

const options = z.strictObject({
  path: z.string().min(1).describe('File of rows; it grows for as long as somebody listens.'),
});

/**
 * Write rows of production to a file that grows: each revision of a row once, however often it comes, also after a crash.
 * Answer keys go to a file of their own that only its owner can read. A row is written when it is on the disk. Readers keep
 * the highest `revision` of a `rollout_id`. Memory: a hash for each revision.
 *
 * @throws TM_SINK - the files cannot be written
 */
export function traceRowsSink(config: z.input<typeof options>): Sink<Row> {
  const { path } = parseOptions('traceRows', options, config);
  const rows = jsonlSink<Row>({ path, mode: 'resume', isDurable: true }, revisionId);
  const keys = jsonlSink<AnswerKey>(
    { path: answerKeyPath(path), mode: 'resume', isPrivate: true, isDurable: true },
    ({ task_key }) => task_key,
  );
  return {
    async write(batch) {
      const parts = batch.map((row) => splitAnswerKey(row));
      const found = parts.flatMap(({ key }) => (key ? [key] : []));
      if (found.length > 0) await keys.write(found); // first: a row that is there has its key
      await rows.write(parts.map(({ row }) => exportRow(row)));
    },
    async close() {
      await Promise.all([rows.close(), keys.close()]);
    },
  };
}

const revisionId = ({ rollout_id, revision }: Row): string => JSON.stringify([rollout_id, revision]);
