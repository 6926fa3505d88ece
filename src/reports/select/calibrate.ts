import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { groupLabel } from '../../rows/label.ts';
import { numericOf } from '../../rows/numeric.ts';
import { taskKey } from '../../rows/task-key.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { type GroupSignal, groupSignal } from '../group-signal.ts';
import { type Student, studentOf, studentOptions, studentsOf } from './student.ts';
import { type TaskRate, taskRates } from './task-rates.ts';

/** How hard a task was for a student, measured before anything was pruned. */
export interface Calibration {
  readonly task_id: string;
  readonly student: Student;
  /** Graded rollouts behind the rate. */
  readonly n: number;
  readonly pass_rate: number;
  readonly mean_kl: number | null;
  readonly pass_rate_ci95: readonly [low: number, high: number] | null;
}

export type Calibrated<R> = R & { readonly calibration: Calibration };

/** The stamp of one task. */
export interface TaskStamp extends Pick<Calibration, 'task_id' | 'n' | 'pass_rate' | 'pass_rate_ci95'> {}

const carryOptions = z.strictObject(studentOptions);
const options = z.strictObject({
  ...studentOptions,
  meanKl: z.record(z.string(), z.number()).optional().describe('Mean KL to a reference policy, by task.'),
});

/**
 * Stamp the kept rows with the pass rate of their task on `graded`, the rows as they were before anything was pruned. Rows
 * of tasks that nobody graded there stay as they are.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 7; Wilson interval (Brown, Cai & DasGupta 2001)
 */
export function carryCalibration<R extends JsonObject>(
  graded: readonly JsonObject[],
  kept: readonly R[],
  given: z.input<typeof carryOptions> = {},
) {
  const student = parseOptions('carryCalibration', carryOptions, given);
  const rates = taskRates(graded);
  const stampFor = stamps();
  const studentFor = studentsOf(student);
  const rows: (R | Calibrated<R>)[] = kept.map((row) => {
    const rate = rates.get(taskKey(row));
    return rate ? { ...row, calibration: calibrationOf(stampFor(rate), studentFor(row), null) } : row;
  });
  const tasks: TaskStamp[] = [...new Set(kept.map(taskKey))].flatMap((task) => {
    const rate = rates.get(task);
    return rate ? [stampFor(rate)] : [];
  });
  const n_stamped = kept.filter((row) => rates.has(taskKey(row))).length;
  return { rows, report: { n_tasks: rates.size, n_rows: kept.length, n_stamped, tasks } };
}

/**
 * Stamp every graded row with the pass rate of its task. A row that carries a stamp from more rollouts keeps it; only the
 * student, when one is named, and the KL are written anew.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 7
 */
export function calibrate<R extends JsonObject>(rows: readonly R[], given: z.input<typeof options> = {}) {
  return stampRows(rows, parseOptions('calibrate', options, given), groupSignal(rows));
}

/** `calibrate` with its options read, and the signal of the rows measured. */
export function stampRows<R extends JsonObject>(
  rows: readonly R[],
  { meanKl = {}, ...student }: z.output<typeof options>,
  { k, pass_at_1, pass_pow_k, pass_at_k, n_groups }: GroupSignal,
) {
  const rates = taskRates(rows);
  const stampFor = stamps();
  const studentFor = studentsOf(student);
  let n_carried = 0;
  let n_stamped = 0;
  const stamped: (R | Calibrated<R>)[] = rows.map((row) => {
    const rate = groupLabel(row) === undefined ? undefined : rates.get(taskKey(row));
    if (!rate) return row;
    n_stamped++;
    const kl = meanKl[rate.task];
    const carried = row['calibration'];
    if (!isObject(carried) || !((numericOf(carried['n']) ?? 0) > rate.n))
      return { ...row, calibration: calibrationOf(stampFor(rate), studentFor(row), kl ?? null) };
    n_carried++;
    const named = student.policy || student.model ? { student: studentFor(row) } : {};
    const calibration = { ...carried, ...named, ...(kl === undefined ? {} : { mean_kl: kl }) };
    return { ...row, calibration: calibration as unknown as Calibration }; // as the row carried it: read loosely, kept whole
  });
  const report = {
    n_tasks: rates.size,
    n_rows: rows.length,
    n_stamped,
    n_carried,
    n_unstamped: rows.length - n_stamped,
    student: studentOf(student),
    pass_at: { k, pass_at_1, pass_pow_k, pass_at_k, n_groups, n_rows: n_stamped },
  };
  return { rows: stamped, report };
}

/** The stamp of each task, made once: a task has many rows. */
function stamps(): (rate: TaskRate) => TaskStamp {
  const known = new Map<TaskRate, TaskStamp>();
  return (rate) => {
    const stamp = known.get(rate) ?? stampOf(rate);
    known.set(rate, stamp);
    return stamp;
  };
}

/** Written out, as one is made for every row: to spread a stamp costs six times as much. */
const calibrationOf = (stamp: TaskStamp, student: Student, mean_kl: number | null): Calibration => ({
  task_id: stamp.task_id,
  n: stamp.n,
  pass_rate: stamp.pass_rate,
  pass_rate_ci95: stamp.pass_rate_ci95,
  student,
  mean_kl,
});

function stampOf({ task, n, passes, rate }: TaskRate): TaskStamp {
  const interval = wilsonInterval(passes, n, 1.96);
  const pass_rate_ci95 = interval && ([round4(interval[0]), round4(interval[1])] as const);
  return { task_id: task, n, pass_rate: rate, pass_rate_ci95 };
}

const round4 = (value: number): number => Math.round(value * 1e4) / 1e4;
