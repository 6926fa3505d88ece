import { rename, writeFile } from 'node:fs/promises';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { Sink } from '../../core/to-sink.ts';
import { passAt } from '../../reports/pass-at/index.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import type { SimulationPlan } from './plan.ts';
import type { SimulateResult } from './result.ts';
import { sidecarOf } from './sidecar.ts';

/** The files of a run: rows as they land, how far it is, and what the rows do not say. */
export interface Output {
  readonly sink: Sink<Row>;
  /** Write the rows once more, whole and in order, and the settings beside them. */
  finish(result: SimulateResult): Promise<void>;
}

const every = 10; // rows between two lines of progress

/**
 * Open the files that `output` and `checkpoint` name, and tell `onProgress`. A checkpoint that holds rows is gone on from:
 * they are decided on again and not played.
 *
 * @throws TM_SINK - a file cannot be written
 */
export async function outputOf(plan: SimulationPlan): Promise<Output | undefined> {
  const { output, checkpoint, onProgress } = plan.settings;
  const path = checkpoint ?? output ?? undefined;
  if (path === undefined && !onProgress) return undefined;
  const before: Row[] = [];
  let isOpen = false;
  let rows = 0;
  const file =
    path === undefined
      ? undefined
      : rowsSink({ path, isResumed: checkpoint !== undefined }, { tell: (row) => void (isOpen || before.push(row)) });
  await file?.open();
  isOpen = true;
  plan.remember(before);
  const resumed = before.length;
  const tell = async (stage: string): Promise<void> => {
    const landed = { rows: rows + resumed, landed: rows, resumed, cap: plan.settings.rows };
    const state = { stage, ...landed, ...plan.progress() };
    onProgress?.(state);
    if (path !== undefined) await writeWhole(`${path}.progress.json`, `${stringifyJson(state)}\n`);
  };
  await tell('start');
  return {
    sink: {
      async write(batch: readonly Row[]) {
        await file?.write(batch);
        const isDue = Math.floor((rows + batch.length) / every) > Math.floor(rows / every);
        rows += batch.length;
        if (isDue) await tell('rollout');
      },
      finish: async () => file?.finish?.(),
      close: async () => file?.close(),
    },
    async finish(result) {
      await tell('stopped');
      for (const target of new Set([output, checkpoint].filter((one) => one !== undefined && one !== null)))
        await rewrite(target, result.rows);
      if (path !== undefined)
        await writeRunMeta(path, sidecarOf(plan, { ...result, pass_at: passAt(result.rows) }, called(plan)));
    },
  };
}

async function rewrite(path: string, rows: readonly Row[]): Promise<void> {
  const sink = rowsSink({ path });
  await sink.open();
  await sink.write(rows);
  await sink.finish?.();
  await sink.close();
}

const called = ({ settings: { seed, concurrency, topology } }: SimulationPlan) => ({ seed, concurrency, ...topology });

async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  } catch (cause) {
    throw new TracemillError('TM_SINK', `${path} cannot be written`, { cause });
  }
}
