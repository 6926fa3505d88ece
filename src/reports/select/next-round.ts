import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { taskKey } from '../../rows/task-key.ts';
import { type Band, bandOptions, checkBand, outOfBand } from './band.ts';
import { carriedRate, taskRates } from './task-rates.ts';

const task = z.union([z.string(), z.looseObject({})]);
const options = z.strictObject({
  ...bandOptions,
  tasks: z
    .array(task)
    .optional()
    .describe('The tasks to choose from: rows, task objects or prompts. Default: those of `prior`.'),
});

/** Which side a task fell on in the round before. */
export type Standing = 'kept' | 'solved' | 'unsolved' | 'unknown';

/**
 * Choose the tasks of the next round by how the round before went: those inside the band, and those nobody tried. Each task
 * is its first row of `prior` with the rate as `calibration`; a task without a rate carries none.
 *
 * @throws TM_OPTIONS - an option is unknown, or the band is empty
 * @source rlhfbook ch. 7
 */
export function nextRound(prior: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { tasks: asked, ...band } = parseOptions('nextRound', options, given);
  checkBand('nextRound', band, true);
  return chooseTasks(prior, band, asked);
}

/** The rule, with its options read. */
export function chooseTasks(prior: readonly JsonObject[], band: Band, asked?: readonly (string | JsonObject)[]) {
  const rates = priorRates(prior);
  const rows = new Map(
    inRowOrder(prior)
      .toReversed()
      .map((row) => [taskKey(row), row]),
  );
  const listed = (asked ?? inRowOrder(prior)).map((one) => (typeof one === 'string' ? { prompt: one } : one));
  const candidates = new Map<string, JsonObject>();
  for (const row of listed) {
    const key = taskKey(row);
    if (!candidates.has(key)) candidates.set(key, rows.get(key) ?? row);
  }
  const counts: Record<Standing, number> = { kept: 0, solved: 0, unsolved: 0, unknown: 0 };
  const tasks: JsonObject[] = [];
  for (const [key, row] of candidates) {
    const rate = rates.get(key);
    const standing = standingOf(rate?.rate, band);
    counts[standing]++;
    if (standing === 'unknown') tasks.push(row);
    if (standing === 'kept' && rate) tasks.push(stamped(row, rate, band));
  }
  return {
    tasks,
    kept: counts.kept,
    dropped_solved: counts.solved,
    dropped_unsolved: counts.unsolved,
    unknown: counts.unknown,
    n_prior_tasks: new Set(prior.map(taskKey)).size,
    pass_rates: Object.fromEntries([...rates].map(([key, { rate }]) => [key, rate])),
    band: [band.lo, band.hi] as const,
    from_policy: policiesOf(prior),
    prompt_set_sha: promptSetSha(tasks.map(taskKey)),
  };
}

/** Read the pass rate of each task of a round: counted from graded rollouts, else as a row carries it. */
export function priorRates(
  prior: readonly JsonObject[],
): Map<string, { readonly rate: number; readonly n: number | null }> {
  const rates = new Map<string, { rate: number; n: number | null }>(taskRates(prior));
  for (const row of prior) {
    const key = taskKey(row);
    const carried = rates.has(key) ? undefined : carriedRate(row);
    if (carried) rates.set(key, { rate: carried.rate, n: Number.isFinite(carried.n) ? carried.n : null });
  }
  return rates;
}

/** Say where a rate puts a task; a task without a rate is unknown. */
export function standingOf(rate: number | undefined, band: Band): Standing {
  if (rate === undefined) return 'unknown';
  const side = outOfBand(rate, band);
  return side === undefined ? 'kept' : side === 'too_easy' ? 'solved' : 'unsolved';
}

/** Name the policies that a round was played by, sorted. */
export function policiesOf(rows: readonly JsonObject[]): readonly string[] {
  const versions = rows.map((row) => row['policy_version'] || row['model_version']).filter(Boolean);
  return [...new Set(versions.map(String))].sort();
}

/** Name a set of tasks: 16 hex digits that change when a task does, never with the order. */
export function promptSetSha(tasks: readonly string[]): string {
  const sorted = tasks.toSorted().join('\n');
  return createHash('sha256').update(sorted).digest('hex').slice(0, 16);
}

function stamped(
  row: JsonObject,
  { rate, n }: { rate: number; n: number | null },
  { lo, hi }: { lo: number; hi: number },
) {
  const before = row['calibration'];
  const calibration = { ...(before as JsonObject | undefined), pass_rate: rate, n, band: [lo, hi] };
  return { ...row, calibration };
}
