import { z } from 'zod';

/** The last time that 64 bits hold, in nanoseconds since 1970: a verdict of a later one could never be corrected. */
const latest = 2n ** 64n - 1n;

/** A verdict that comes after the fact: what a user, a review or a nightly job said of a trace that is in already. */
export const scoreSchema = z
  .strictObject({
    trace_id: z
      .string()
      .regex(/^[0-9a-fA-F]{32}$/)
      .optional()
      .describe('The trace it is of, 32 hex digits.'),
    conversation_id: z.string().min(1).max(1000).optional().describe('The conversation it is of.'),
    name: z.string().min(1).max(200).describe('What was judged. The same name again is a correction.'),
    value: z.union([z.number(), z.boolean()]).describe('1 is good; `reward` must lie in [0, 1].'),
    label: z.string().max(1000).optional().describe('The verdict as a word.'),
    reason: z.string().max(10_000).optional().describe('Why.'),
    time_unix_nano: z
      .string()
      .regex(/^\d{1,20}$/)
      .refine((time) => !/^\d{1,20}$/.test(time) || BigInt(time) <= latest, 'a time is at most 18446744073709551615')
      .optional()
      .describe('When it was given, nanoseconds since 1970; without it, when it arrives.'),
  })
  .refine(({ trace_id, conversation_id }) => trace_id !== undefined || conversation_id !== undefined, {
    message: 'trace_id or conversation_id is needed',
  })
  .refine(({ name, value }) => name !== 'reward' || (Number(value) >= 0 && Number(value) <= 1), {
    message: 'a reward lies in [0, 1]',
  });

export type Score = Readonly<z.output<typeof scoreSchema>>;
