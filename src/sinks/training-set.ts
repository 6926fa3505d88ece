import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import {
  type TrainingEntry,
  type TrainingReport,
  trainingSetOptions,
  trainingSet as trainingSetRule,
} from '../reports/export/training-set.ts';
import type { Row } from '../rows/row.ts';
import { draftFile } from './draft-file.ts';

const trainingFileOptions = trainingSetOptions.extend({
  path: z.string().min(1).describe('File to write, one JSON object a line. It appears whole or not at all.'),
});

/** What an export says of its file. `path` is null when there was nothing to write. */
export interface ExportReport extends TrainingReport {
  readonly path: string | null;
  readonly n_written: number;
  readonly columns: readonly string[];
}

export interface TrainingSetSink extends Sink<Row> {
  /** Known once the run has finished. */
  report(): ExportReport | undefined;
}

/**
 * Write rows as a file for supervised training. Samples wait in `<path>.part`, free of answer keys, until the last row is
 * there: only then the groups and the columns of the file are known. A rollout that is delivered twice is written once. A
 * run that dies leaves no file; the next run starts anew. Memory: one id a rollout, one small record a task.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_PRIVILEGED_LEAK - at the end, and no file is written; `validate: false` lets them pass
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function trainingSet(config: z.input<typeof trainingFileOptions>): TrainingSetSink {
  const { path, ...rest } = parseOptions('trainingSet', trainingFileOptions, config);
  const set = trainingSetRule(rest);
  const draft = draftFile<readonly [task: string, sample: TrainingEntry['samples'][number]]>(path);
  const seen = new Set<string>();
  let report: ExportReport | undefined;
  return {
    async write(rows) {
      const fresh = new Set<string>();
      const entries = rows.filter((row) => isNew(row, seen, fresh)).map((row) => set.entry(row));
      await draft.append(entries.flatMap(({ task, samples }) => samples.map((sample) => [task, sample] as const)));
      for (const id of fresh) seen.add(id); // only now: a batch that failed comes again
      for (const entry of entries) set.add(entry);
    },
    async finish() {
      const { report: said, refusal, columns, line } = set.end();
      if (refusal || said.n === 0) await draft.discard();
      if (refusal) throw refusal;
      if (said.n > 0) await draft.publish(([task, sample]) => line(task, sample));
      report = { ...said, path: said.n > 0 ? path : null, n_written: said.n, columns };
    },
    close: () => draft.close(),
    report: () => report,
  };
}

/**
 * Write rows as a file for supervised training, all at once, and report what is in it.
 *
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_PRIVILEGED_LEAK - and no file is written; `validate: false` lets them pass
 */
export async function exportDataset(
  rows: readonly Row[],
  path: string,
  config: Omit<z.input<typeof trainingFileOptions>, 'path'> = {},
): Promise<ExportReport> {
  const sink = trainingSet({ ...config, path });
  try {
    await sink.write(rows);
    await sink.finish?.();
  } finally {
    await sink.close();
  }
  return sink.report() as ExportReport; // it finished
}

/** One name, one rollout. A row without a name is never taken for another. */
function isNew({ rollout_id }: Row, seen: ReadonlySet<string>, fresh: Set<string>): boolean {
  if (!rollout_id) return true;
  const isKnown = seen.has(rollout_id) || fresh.has(rollout_id);
  fresh.add(rollout_id);
  return !isKnown;
}
