import type { Clock } from '../../core/clock.ts';

/** Where the time of a run went, in seconds with two digits. */
export interface Timings {
  /** Drafting tools, people and seeds, before the first ask. */
  readonly scene_s: number;
  /** Waiting for the words of asks. */
  readonly scenario_s: number;
  /** The rest: rollouts and verdicts. */
  readonly rollout_s: number;
  /** Until the first row; null while there is none. */
  readonly first_row_s: number | null;
  readonly total_s: number;
}

/** Takes down where the time of a run goes. Memory: one number for each minute. */
export class RunClock {
  readonly #clock: Clock;
  readonly #begun: number;
  #sceneMs = 0;
  #writingMs = 0;
  #firstRowMs: number | undefined;
  readonly #byMinute: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begun = clock();
  }

  /** All is settled that comes before the first ask. */
  settled(): void {
    this.#sceneMs = this.#clock() - this.#begun;
  }

  /** The time of this work is a wait for words. */
  async writing<T>(work: Promise<T>): Promise<T> {
    const from = this.#clock();
    try {
      return await work;
    } finally {
      this.#writingMs += this.#clock() - from;
    }
  }

  row(): void {
    const ms = this.#clock() - this.#begun;
    this.#firstRowMs ??= ms;
    const minute = Math.max(0, Math.floor(ms / 60_000));
    while (this.#byMinute.length <= minute) this.#byMinute.push(0);
    this.#byMinute[minute] = (this.#byMinute[minute] ?? 0) + 1;
  }

  timings(): Timings {
    const total = this.#clock() - this.#begun;
    return {
      scene_s: seconds(this.#sceneMs),
      scenario_s: seconds(this.#writingMs),
      rollout_s: seconds(Math.max(0, total - this.#sceneMs - this.#writingMs)),
      first_row_s: this.#firstRowMs === undefined ? null : seconds(this.#firstRowMs),
      total_s: seconds(total),
    };
  }

  /** Rows of each minute of the run. */
  rowsByMinute(): readonly number[] {
    return [...this.#byMinute];
  }
}

const seconds = (ms: number): number => Math.round(ms / 10) / 100;
