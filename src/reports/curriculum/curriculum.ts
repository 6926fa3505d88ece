import { z } from 'zod';
import { type Fold, foldRows, inOrder } from '../../core/fold.ts';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { groupLabel } from '../../rows/label.ts';
import { taskKey } from '../../rows/task-key.ts';
import { type Interval, wilsonInterval } from '../../stats/wilson.ts';
import { round } from '../round.ts';

const rate = z.number().min(0).max(1);
const options = z.strictObject({
  solved: rate.default(0.8).describe('Tasks that pass more often than this are retired.'),
  floor: rate.default(0.2).describe('Tasks that pass less often than this are not ready.'),
  band: z.tuple([rate, rate]).default([0.2, 0.8]).describe('Pass rates counted as in the band, both ends included.'),
  tiers: z.int().min(1).default(3).describe('Parts that the schedule is cut into, easiest first.'),
  minRollouts: z.int().min(1).default(2).describe('Judged rollouts under which a task is too thin to place.'),
});
type Options = z.output<typeof options>;

/** A task and how often it passes, 4 digits. */
export interface PlacedTask {
  readonly task_id: string;
  readonly prompt: string;
  readonly n: number;
  readonly pass_rate: number;
  /** At 8 rollouts about 0.3 to each side: a hard cut misfiles many tasks. */
  readonly pass_rate_ci95: Interval | null;
}

/** Which tasks to train on next, in which order. */
export interface Curriculum {
  readonly n_tasks: number;
  readonly n_trainable: number;
  readonly n_solved: number;
  readonly n_not_ready: number;
  readonly n_thin: number;
  readonly n_in_band: number;
  /** Tasks whose interval reaches over a threshold: another run may place them elsewhere. */
  readonly n_uncertain: number;
  readonly thresholds: Readonly<Record<'solved' | 'floor' | 'min_rollouts', number>> & {
    readonly band: readonly [number, number];
  };
  readonly schedule: readonly string[];
  readonly trainable: readonly PlacedTask[];
  readonly retired: readonly PlacedTask[];
  readonly not_ready: readonly PlacedTask[];
  readonly thin: readonly PlacedTask[];
  readonly tiers: readonly (readonly PlacedTask[])[];
}

/** Judged rollouts, passes and the wording of each task. */
export type TaskRates = Map<string, { n: number; c: number; prompt: string | undefined }>;

/**
 * Place every task by how often it passes: retired, trainable from the easiest on, not ready, or too thin to tell.
 *
 * Cost: one look-up a row; memory: two numbers and a prompt a task.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 7
 */
export function curriculum(rows: Iterable<unknown>, config: z.input<typeof options> = {}): Curriculum {
  return foldRows(curriculumFold(config), rows);
}

/** `curriculum` a row at a time. */
export function curriculumFold(config: z.input<typeof options> = {}): Fold<unknown, TaskRates, Curriculum> {
  const given = parseOptions('curriculum', options, config);
  return { ...taskRatesFold, end: (tasks) => place(tasks, given) };
}

/** Count passes by task. */
export const taskRatesFold: Fold<unknown, TaskRates, TaskRates> = {
  start: () => new Map(),
  add(tasks, row) {
    if (!isObject(row)) return;
    const label = groupLabel(row);
    if (label === undefined) return;
    const prompt = row['prompt'];
    count(tasks, taskKey(row), 1, label, typeof prompt === 'string' ? prompt : undefined);
  },
  merge(into, from) {
    for (const [task, { n, c, prompt }] of from) count(into, task, n, c, prompt);
  },
  end: (tasks) => tasks,
};

/** Read a task's rate as every threshold reads it: 4 digits. */
export const rateOf = ({ n, c }: { readonly n: number; readonly c: number }): number => round(c / n);

function count(tasks: TaskRates, task: string, n: number, c: number, prompt: string | undefined): void {
  const known = tasks.get(task);
  if (!known) {
    tasks.set(task, { n, c, prompt });
    return;
  }
  known.n += n;
  known.c += c;
  if (prompt !== undefined && (known.prompt === undefined || prompt < known.prompt)) known.prompt = prompt; // any order, one wording
}

function place(rates: TaskRates, { solved, floor, band, tiers, minRollouts }: Options): Curriculum {
  const tasks = inOrder(rates).map(([task_id, { n, c, prompt = '' }]): PlacedTask => {
    const interval = wilsonInterval(c, n);
    return {
      task_id,
      prompt,
      n,
      pass_rate: rateOf({ n, c }),
      pass_rate_ci95: interval && [round(interval[0]), round(interval[1])],
    };
  });
  const placed = tasks.filter(({ n }) => n >= minRollouts);
  const trainable = placed
    .filter(({ pass_rate }) => pass_rate <= solved && pass_rate >= floor)
    .toSorted((a, b) => b.pass_rate - a.pass_rate); // equal rates stay in the order of their names
  const retired = placed.filter(({ pass_rate }) => pass_rate > solved);
  const notReady = placed.filter(({ pass_rate }) => pass_rate < floor);
  const size = trainable.length / tiers;
  const reaches = ({ pass_rate_ci95: ends }: PlacedTask) =>
    ends !== null && [solved, floor].some((edge) => ends[0] < edge && edge < ends[1]);
  return {
    n_tasks: tasks.length,
    n_trainable: trainable.length,
    n_solved: retired.length,
    n_not_ready: notReady.length,
    n_thin: tasks.length - placed.length,
    n_in_band: placed.filter(({ pass_rate }) => pass_rate >= band[0] && pass_rate <= band[1]).length,
    n_uncertain: placed.filter(reaches).length,
    thresholds: { solved, floor, band, min_rollouts: minRollouts },
    schedule: trainable.map(({ task_id }) => task_id),
    trainable,
    retired,
    not_ready: notReady,
    thin: tasks.filter(({ n }) => n < minRollouts),
    tiers: Array.from({ length: tiers }, (_, tier) => trainable.filter((_task, at) => Math.floor(at / size) === tier)),
  };
}
