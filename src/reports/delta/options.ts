import { z } from 'zod';
import { compareOptions } from '../compare-runs.ts';

/** Names the group of a row; undefined for none. */
type GroupOf = (row: Readonly<Record<string, unknown>>) => string | undefined;

/** Options of a delta report that is made a row at a time. */
export const deltaOptions = z.strictObject({
  target: z.string().optional().describe('The metric the change was made for: `pass_at_1`, or the name of a marker.'),
  mustNotRegress: z
    .array(z.string())
    .default([])
    .describe('Guards: metrics that must not fall. One that is not measured on both sides fails the gate.'),
  markers: z.array(z.string()).optional().describe('Markers to compare. All that occur on both sides when left out.'),
  by: z
    .union([z.string(), z.custom<GroupOf>((value) => typeof value === 'function')])
    .optional()
    .describe(
      'What splits the rows into groups to compare one by one: a field of the rows, else of their cell, else a marker; or a function.',
    ),
  runStd: z
    .union([z.number().min(0), z.record(z.string(), z.number().min(0).nullable())])
    .optional()
    .describe('Known standard deviation between runs of one policy: for all metrics, or by name.'),
  runStdRuns: z
    .int()
    .min(2)
    .optional()
    .describe('Runs that `runStd` was estimated from. The band then uses Student t; as if known when left out.'),
  proxy: z.string().optional().describe('The metric that was trained on, to see whether it left the target behind.'),
  guardCorrection: z
    .enum(['none', 'holm'])
    .default('none')
    .describe('`none` tests every guard at 0.05, which is strict for many guards; `holm` all of them together.'),
  promptIsTheChange: z
    .boolean()
    .default(false)
    .describe('The system prompt is what was changed: a different prompt does not make the runs incomparable.'),
  ...compareOptions,
});
export type DeltaSettings = z.output<typeof deltaOptions>;

/** Options of `deltaReport`. */
export const deltaListOptions = deltaOptions.extend({
  balanceRollouts: z
    .boolean()
    .default(false)
    .describe('Trim each shared task to the same number of rows on both sides. Better precision, not less bias.'),
});
