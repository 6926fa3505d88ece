import { z } from 'zod';
import { bandOptions } from './band.ts';
import { gateOptions } from './drop-reason.ts';
import { truncatedPolicies } from './mark-truncated.ts';
import { taskOrders } from './order-tasks.ts';
import { textGateModes } from './text-gates.ts';

const row = z.looseObject({});
/** Options of `selectForRl`. */
export const rlOptions = z.strictObject({
  ...bandOptions,
  ...gateOptions,
  target: z.int().min(0).default(1000).describe('Rows from which no further task is taken; groups are never split.'),
  enforceBand: z.boolean().default(true).describe('Drop tasks outside the band; false only puts them last.'),
  dedupe: z.boolean().default(true).describe('Drop rollouts that did and said the same on one ask.'),
  truncated: z
    .enum(truncatedPolicies)
    .optional()
    .describe('What becomes of rollouts that were cut off: drop, keep without a vote, or penalize with reward 0.'),
  dropTruncated: z.boolean().optional().describe('Older spelling: false is `truncated: keep`.'),
  order: z.enum(taskOrders).default('spread').describe('Alternate between pass rates, or nearest the middle first.'),
  textGates: z
    .enum(textGateModes)
    .default('auto')
    .describe('Run the gates that read replies: when there are some, always, never.'),
  endorsed: z
    .array(z.string())
    .default([])
    .describe('Features that the reward is meant to pay for, for the hack scan.'),
  prior: z
    .array(row)
    .optional()
    .describe('Graded rollouts of the round before: tasks solved or hopeless there are left out.'),
  audit: z
    .looseObject({ fn_rate: z.number().nullish() })
    .optional()
    .describe('A verifier audit of these rewards, to be carried in the report.'),
});
/** The options with their defaults filled in. */
export type RlOptions = Omit<z.output<typeof rlOptions>, 'truncated'> & {
  readonly truncated: (typeof truncatedPolicies)[number];
};
