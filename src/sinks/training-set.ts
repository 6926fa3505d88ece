import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import {
  type TrainingReport,
  trainingSetOptions,
  trainingSet as trainingSetRule,
} from '../reports/export/training-set.ts';
import type { Row } from '../rows/row.ts';
import type { DecisionLog } from './decision-log.ts';
import { type SetFile, type SetSink, setFile, writeSet } from './set-file.ts';

const trainingFileOptions = trainingSetOptions.extend({
  path: z
    .string()
    .min(1)
    .describe('File to write, JSON lines, or Parquet by its name. It appears whole or not at all.'),
});

/** What an export says of its file. */
export type ExportReport = TrainingReport & SetFile;

interface Ports {
  readonly decisions?: DecisionLog | undefined;
  readonly step?: string | undefined;
  readonly shownAs?: string | undefined;
}

/**
 * Write rows as a file for supervised training. Samples wait beside it, free of answer keys, until the last row is there:
 * only then the groups and the columns of the file are known. A rollout that is delivered twice is written once. A run that
 * dies leaves no file; the next run starts anew. Memory: one id a rollout, one small record a task.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_PRIVILEGED_LEAK - at the end, and no file is written; `validate: false` lets them pass
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function trainingSet(
  config: z.input<typeof trainingFileOptions>,
  ports: Ports = {},
): SetSink<Row, TrainingReport> {
  const { path, ...rest } = parseOptions('trainingSet', trainingFileOptions, config);
  const file = setFile(trainingSetRule(rest), { path, by: `${rest.format}-set`, ...ports });
  const seen = new Set<string>();
  return {
    ...file,
    async write(rows) {
      const fresh = new Set<string>();
      await file.write(rows.filter((row) => isNew(row, seen, fresh)));
      for (const id of fresh) seen.add(id); // only now: a batch that failed comes again
    },
  };
}

/**
 * Write rows as a file for supervised training, all at once, and report what is in it.
 *
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_PRIVILEGED_LEAK - and no file is written; `validate: false` lets them pass
 */
export const exportDataset = (
  rows: readonly Row[],
  path: string,
  config: Omit<z.input<typeof trainingFileOptions>, 'path'> = {},
): Promise<ExportReport> => writeSet(trainingSet({ ...config, path }), rows);

/** One name, one rollout. A row without a name is never taken for another. */
function isNew({ rollout_id }: Row, seen: ReadonlySet<string>, fresh: Set<string>): boolean {
  if (!rollout_id) return true;
  const isKnown = seen.has(rollout_id) || fresh.has(rollout_id);
  fresh.add(rollout_id);
  return !isKnown;
}
