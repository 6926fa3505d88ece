import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { exportRow } from '../rows/export-row.ts';
import { type AnswerKey, answerKeyPath, splitAnswerKey } from '../rows/privileged.ts';
import { isRetraction, retractionOf } from '../rows/revision.ts';
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
  const alone = tracesAlone();
  const rows = jsonlSink<Row>({ path, mode: 'resume', isDurable: true }, (row) => {
    alone.note(row);
    return revisionId(row);
  });
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
      const gone = batch.flatMap(alone.takenBackBy);
      if (gone.length > 0) await rows.write(gone);
    },
    async close() {
      await Promise.all([rows.close(), keys.close()]);
    },
  };
}

/** The rows told under the name of their trace, which a conversation may take in. */
function tracesAlone() {
  const told = new Map<string, Row>();
  return {
    note(row: Row): void {
      const { rollout_id, revision, conversation_id: trace } = row;
      if (typeof trace !== 'string') return;
      if (isRetraction(row)) told.delete(trace);
      else if (tracesOf(row)[0] === trace) told.set(trace, { rollout_id, revision, conversation_id: trace });
    },
    takenBackBy: (row: Row): Row[] =>
      tracesOf(row).flatMap((trace) => {
        const before = trace === row.conversation_id ? undefined : told.get(String(trace));
        return before ? [retractionOf(before, [row])] : [];
      }),
  };
}

const tracesOf = ({ trace_ids }: Row): readonly unknown[] => (Array.isArray(trace_ids) ? trace_ids : []);

const revisionId = ({ rollout_id, revision }: Row): string => JSON.stringify([rollout_id, revision]);
