import { z } from 'zod';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { finiteNumber } from './numeric.ts';
import { policyRefSchema } from './policy-ref.ts';

const share = z.number().min(0).max(1);

/** How often one student solves one task. */
export const calibrationSchema = z.looseObject({
  task_id: z.string(),
  student: policyRefSchema,
  n: z.int().min(1).describe('Rollouts measured.'),
  pass_rate: share,
  mean_kl: z.number().nullish().describe('Sampled KL to the reference policy per generated token, nats.'),
  pass_rate_ci95: z.tuple([share, share]).nullish().describe('Wilson interval of the pass rate, 95 %.'),
});

export type Calibration = Readonly<z.output<typeof calibrationSchema>>;

/**
 * Read the calibration of a row: numbers may be text, `n` is cut to a whole number. Null when there is none, the pass rate
 * is outside 0 to 1, or nothing was measured. An interval that is no pair of numbers is null.
 */
export function calibrationOf(row: JsonObject): Calibration | null {
  const raw = row['calibration'];
  if (!isObject(raw)) return null;
  const pass_rate = finiteNumber(raw['pass_rate']);
  const n = Math.trunc(finiteNumber(raw['n']) ?? 0);
  if (pass_rate === undefined || pass_rate < 0 || pass_rate > 1 || n < 1) return null;
  return {
    task_id: String(raw['task_id'] || row['scenario_id'] || row['prompt'] || ''),
    student: studentOf(raw['student']),
    n,
    pass_rate,
    mean_kl: finiteNumber(raw['mean_kl']) ?? null,
    pass_rate_ci95: intervalOf(raw['pass_rate_ci95']),
  };
}

function studentOf(value: unknown): Calibration['student'] {
  const student = isObject(value) ? value : {};
  const text = (key: string) => (student[key] === undefined || student[key] === null ? null : String(student[key]));
  return { name: text('name') ?? '', model: text('model'), prompt_hash: text('prompt_hash'), version: text('version') };
}

function intervalOf(value: unknown): [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [low, high] = value.map(finiteNumber);
  return low === undefined || high === undefined ? null : [low, high];
}
