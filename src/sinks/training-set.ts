import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import {
  type TrainingEntry,
  type TrainingReport,
  trainingSetOptions,
  trainingSet as trainingSetRule,
} from '../reports/export/training-set.ts';
import type { Row } from '../rows/row.ts';

/** Options of the `trainingSet` sink. */
export const trainingFileOptions = trainingSetOptions.extend({
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
 * Write rows as a file for supervised training. Samples lie in `<path>.part`, free of answer keys, until the last row is
 * there: only then the groups and the columns of the file are known. The file itself appears by a rename. A rollout that is
 * delivered twice is written once. A run that dies leaves `.part` behind and no file; the next run starts anew. Memory: one id a rollout, one small record a task.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_PRIVILEGED_LEAK - at the end, and no file is written; `validate: false` lets them pass
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function trainingSet(config: z.input<typeof trainingFileOptions>): TrainingSetSink {
  const { path, ...rest } = parseOptions('trainingSet', trainingFileOptions, config);
  const set = trainingSetRule(rest);
  const part = `${path}.part`;
  const seen = new Set<string>();
  let file: FileHandle | undefined;
  let size = 0;
  let waiting: { readonly rows: readonly Row[]; readonly text: string } | undefined;
  let report: ExportReport | undefined;

  const textOf = (rows: readonly Row[]): string => {
    const entries = rows.filter((row) => isNew(row, seen)).map((row) => set.entry(row));
    for (const entry of entries) set.add(entry);
    return entries.flatMap(({ task, samples }) => samples.map((one) => `${stringifyJson([task, one])}\n`)).join('');
  };

  return {
    async write(rows) {
      if (waiting?.rows !== rows) waiting = { rows, text: textOf(rows) }; // a retry must not count them again
      const { text } = waiting;
      await onDisk(path, async () => {
        file ??= await open(part, 'w', 0o600);
        size += await writeAt(file, Buffer.from(text), size); // over what a failed try left
      });
      waiting = undefined;
    },
    async finish() {
      const { report: said, refusal, columns, line } = set.end();
      if (refusal) {
        await rm(part, { force: true });
        throw refusal;
      }
      if (said.n > 0) await onDisk(path, () => writeWhole(part, path, line));
      await rm(part, { force: true });
      report = { ...said, path: said.n > 0 ? path : null, n_written: said.n, columns };
    },
    close: async () => file?.close(),
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
function isNew({ rollout_id }: Row, seen: Set<string>): boolean {
  if (!rollout_id) return true;
  const before = seen.size;
  return seen.add(rollout_id).size > before;
}

type Line = (task: string, sample: TrainingEntry['samples'][number]) => string;

async function writeWhole(from: string, to: string, line: Line): Promise<void> {
  const next = `${to}.tmp`;
  const out = await open(next, 'w');
  try {
    let block = '';
    for await (const text of linesOf(from)) {
      const [task, sample] = parseJson(text) as Parameters<Line>; // written above
      block += line(task, sample);
      if (block.length < 1 << 20) continue;
      await out.appendFile(block);
      block = '';
    }
    await out.appendFile(block);
    await out.datasync();
  } finally {
    await out.close();
  }
  await rename(next, to);
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  await file.datasync();
  return bytes.length;
}

/** Lines end at LF only: U+2028 is a letter of a text, and `readline` takes it for an end. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function onDisk(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new TracemillError('TM_SINK', path, { cause, retriable: ['ENOSPC', 'EBUSY'].includes(code) });
  }
}

/** Write a list of rows as a training file, and say what is in it. */
export async function writeTrainingSet(
  rows: readonly Row[],
  config: z.input<typeof trainingFileOptions>,
): Promise<ExportReport> {
  const sink = trainingSet(config);
  try {
    await sink.write(rows);
    await sink.finish?.();
  } finally {
    await sink.close();
  }
  return sink.report() as ExportReport; // known since it finished
}
