import { z } from 'zod';

const words = z.string().max(500);
const fields = z.record(z.string(), z.unknown());

/** What `POST /runs` takes. What we do not know is kept with the run. */
export const runRequestSchema = z.looseObject({
  name: words.min(1),
  dataset_id: words.nullish(),
  after_dataset_id: words.nullish(),
  base_model: words.nullish(),
  trainer: words.nullish(),
  total_steps: z.int().min(0).nullish(),
  config: fields.nullish(),
});

/** One point of the curves: a step, when it was, and its numbers. */
const pointSchema = z.looseObject({ step: z.number(), ts: z.number().optional() });

/** What `POST /runs/{id}/log` takes: at most 500 points. */
export const logRequestSchema = z.looseObject({
  points: z.array(pointSchema).max(500),
  total_steps: z.int().min(0).nullish(),
});

/** What `POST /runs/{id}/finish` takes; a later summary replaces the one before. */
export const finishRequestSchema = z.looseObject({
  status: z.enum(['done', 'failed', 'stopped']),
  summary: fields.nullish(),
  adapter: z.string().max(2000).nullish(),
  error: z.string().nullish(),
});

/** What `POST /v1/compare` takes: a report as `compare --json` writes it, and what it is called. */
export const compareRequestSchema = z.strictObject({ name: words.min(1), report: fields });

export type RunRequest = Readonly<z.output<typeof runRequestSchema>>;
export type RunPoint = Readonly<z.output<typeof pointSchema>>;
export type LogRequest = Readonly<z.output<typeof logRequestSchema>>;
export type FinishRequest = Readonly<z.output<typeof finishRequestSchema>>;

/** A run as it is read back. */
export interface RunRecord extends RunRequest {
  readonly runId: string;
  readonly status: 'running' | FinishRequest['status'];
  readonly created_at: number;
  readonly updated_at: number;
  readonly step: number | null;
  readonly latest: Readonly<Record<string, number>>;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly adapter: string | null;
  readonly error: string | null;
  readonly verdict: 'Better' | 'Worse' | 'About the same' | null;
}
