import type { Sink } from '../../core/to-sink.ts';
import { passAt } from '../../reports/pass-at/index.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import type { SimulationPlan } from './plan.ts';
import { Progress } from './progress.ts';
import type { SimulateResult } from './result.ts';
import { sidecarOf } from './sidecar.ts';

/** The files of a run: rows as they land, how far it is, and what the rows do not say. */
export interface Output {
  readonly sink: Sink<Row>;
  /** Write the rows once more, whole and in order, and the settings beside them. */
  finish(result: SimulateResult): Promise<void>;
}

const forgetting: Sink<Row> = { write: async () => {}, close: async () => {} };

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
  const tell = (row: Row) => void (isOpen || before.push(row));
  const file = path === undefined ? undefined : rowsSink({ path, isResumed: checkpoint !== undefined }, { tell });
  await file?.open();
  isOpen = true;
  plan.remember(before);
  const progress = new Progress(plan, { path, resumed: before.length, onProgress });
  await progress.tell('start');
  return {
    sink: progress.counting(file ?? forgetting),
    async finish(result) {
      await progress.tell('stopped');
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
