import { rename, writeFile } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { Sink } from '../../core/to-sink.ts';
import type { Row } from '../../rows/row.ts';
import type { SimulationPlan } from './plan.ts';

/** Where a run tells how far it is. */
interface Places {
  /** File of its rows: `<path>.progress.json` is written beside it, at most once a second. */
  readonly path?: string | undefined;
  /** Rows that an earlier, killed run left. */
  readonly resumed: number;
  readonly onProgress?: ((state: object) => void) | null | undefined;
}

const [everyRows, everyMs] = [10, 1000];

/** Tells how far a run is: at its start, after some rows, at its end. */
export class Progress {
  readonly #plan: SimulationPlan;
  readonly #places: Places;
  #rows = 0;
  #told = 0;
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(plan: SimulationPlan, places: Places) {
    this.#plan = plan;
    this.#places = places;
  }

  /**
   * Tell where it is now.
   *
   * @throws TM_SINK - the file cannot be written
   */
  async tell(stage: 'start' | 'rollout' | 'stopped'): Promise<void> {
    const { path, resumed, onProgress } = this.#places;
    this.#told = this.#rows;
    const landed = { rows: this.#rows + resumed, landed: this.#rows, resumed, cap: this.#plan.settings.rows };
    const state = { stage, ...landed, ...this.#plan.progress() };
    onProgress?.(state);
    const isDue = stage !== 'rollout' || systemClock() - this.#writtenMs >= everyMs;
    if (path === undefined || !isDue) return;
    this.#writtenMs = systemClock();
    await writeWhole(`${path}.progress.json`, `${stringifyJson(state)}\n`);
  }

  /** The same sink; rows that it has written are told of. */
  counting(sink: Sink<Row>): Sink<Row> {
    return {
      ...sink,
      write: async (batch, origins) => {
        await sink.write(batch, origins);
        this.#rows += batch.length;
        if (this.#rows - this.#told >= everyRows) await this.tell('rollout');
      },
    };
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  } catch (cause) {
    throw new TracemillError('TM_SINK', `${path} cannot be written`, { cause });
  }
}
