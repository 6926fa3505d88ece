import { z } from 'zod';
import { alarmSchema } from '../rows/alarm.ts';
import { historyFiguresSchema } from '../rows/history-entry.ts';

/**
 * What `GET /v1/events` tells a page, as server-sent events. The first event is `snapshot`: everything that is kept now.
 * Those after it are `update`s: the items that are new or changed since the event before, at most 20 a second. Both have the
 * shape of `liveEventSchema` and each section is a list; a page keeps items by the key that is named at each schema, an item
 * with a known key replaces the older one. A page that reads slowly gets fewer and larger updates; what left the server's
 * memory in between (old rollouts, old points) it does not get, and `totals` tells how many there were in all. `at_ms` is ms
 * since 1970. Texts of rollouts come from models: they are never HTML. Whole conversations are at
 * `GET /v1/rollouts/{rollout_id}` (`/conversation` for people), curves of a run at `GET /runs/{run_id}`, its monitor at `GET /v1/monitor/{run_id}`.
 */
const at = { at_ms: z.number() };
const share = z.number().min(0).max(1);
const count = z.number().min(0);

/** One operator of one stage over all workers. Key: `stage` and `operator`. */
export const stageFiguresSchema = z.strictObject({
  stage: z.string(),
  operator: z.string(),
  place: count.describe('Place among the stages, as they were first told of.'),
  workers: count,
  in: count,
  out: count,
  in_per_s: count,
  out_per_s: count,
  rejected: z.record(z.string(), count).describe('Rows by reason.'),
  counts: z.record(z.string(), count).describe('What else happened, by name.'),
  in_flight: count,
  mean_ms: z.number().optional().describe('Mean time of its calls.'),
  lag: z.number().optional().describe('Records that wait on its topic.'),
  oldest_ms: z.number().optional().describe('Age of the oldest record that is not done.'),
  is_stalled: z.boolean().describe('Something waits and nothing has moved for a while.'),
  ...at,
});

/** A rollout in one line; texts are cut. Key: `rollout_id`. */
export const rolloutHeadSchema = z.strictObject({
  rollout_id: z.string(),
  task: z.string(),
  prompt: z.string(),
  final_text: z.string(),
  reward: z.number().nullable(),
  judge_status: z.string().nullable(),
  judge_name: z.string().nullable(),
  reason: z.string(),
  failure_class: z.string().nullable(),
  markers: z.record(z.string(), z.number()),
  tools: z.array(z.string()).describe('Tools it called, in order.'),
  n_messages: count,
  cell: z.record(z.string(), z.string()).describe('Its place in the grid, by axis; empty when it has none.'),
  ...at,
});

/** One pair of tool and stance of the coverage grid; a rollout without a place in a grid stands by the first tool it called. Key: `tool` and `stance`. */
export const coverageCellSchema = z.strictObject({
  tool: z.string(),
  stance: z.string(),
  n: count.describe('Rollouts.'),
  n_graded: count,
  n_passed: count,
});

/** pass@1 so far, with its 95 % interval over tasks. Key: `n_rows`. */
export const passPointSchema = z.strictObject({
  ...at,
  pass_at_1: share.nullable(),
  ci95: z.tuple([z.number(), z.number()]).nullable(),
  n_tasks: count,
  n_rows: count,
});

/** A training run in one line. Key: `run_id`. */
export const runHeadSchema = z.strictObject({
  run_id: z.string(),
  name: z.string(),
  status: z.enum(['running', 'done', 'failed', 'stopped']),
  verdict: z.enum(['Better', 'Worse', 'About the same']).nullable(),
  step: z.number().nullable(),
  total_steps: z.number().nullable(),
  latest: z.record(z.string(), z.number()).describe('The last value of each metric.'),
  facts: z
    .record(z.string(), z.string())
    .optional()
    .describe('What a run of a pipeline was made with; it has no curves.'),
  is_deleted: z.boolean().optional(),
  ...at,
});

/** How far a judge agrees with gold labels, over the newest labelled rows. Key: `judge_name` and `at_ms`. */
export const agreementPointSchema = z.strictObject({
  ...at,
  judge_name: z.string(),
  n: count,
  agreement: share.nullable(),
  kappa: z.number().nullable(),
  ci95: z.tuple([z.number(), z.number()]).nullable(),
});

/** The sections of a page. History is keyed by `run_id` and `step`, alarms by `run_id`, `kind`, `step`, `what` and `reward_name`. */
export const liveSections = {
  stages: stageFiguresSchema,
  rollouts: rolloutHeadSchema,
  coverage: coverageCellSchema,
  pass: passPointSchema,
  runs: runHeadSchema,
  history: historyFiguresSchema,
  alarms: alarmSchema,
  agreement: agreementPointSchema,
};

/** The data of a `snapshot` (every section is there) and of an `update` (only those that changed are). */
export const liveEventSchema = z.strictObject({
  rev: z.int().describe('Grows with every change.'),
  ...at,
  health: z.strictObject({ is_ok: z.boolean(), faults: z.array(z.string()) }),
  totals: z.record(z.string(), count).describe('Items that were ever put into a section, by its name.'),
  ...z
    .object(Object.fromEntries(Object.entries(liveSections).map(([name, item]) => [name, z.array(item)])) as Lists)
    .partial().shape,
});
type Lists = { readonly [Name in keyof typeof liveSections]: z.ZodArray<(typeof liveSections)[Name]> };

export type LiveSection = keyof typeof liveSections;
export type LiveItem<Name extends LiveSection> = z.output<(typeof liveSections)[Name]>;
export type LiveEvent = Readonly<z.output<typeof liveEventSchema>>;
export type StageFigures = Readonly<z.output<typeof stageFiguresSchema>>;
export type RolloutHead = Readonly<z.output<typeof rolloutHeadSchema>>;
export type CoverageCell = Readonly<z.output<typeof coverageCellSchema>>;
export type PassPoint = Readonly<z.output<typeof passPointSchema>>;
export type RunHead = Readonly<z.output<typeof runHeadSchema>>;
export type AgreementPoint = Readonly<z.output<typeof agreementPointSchema>>;
