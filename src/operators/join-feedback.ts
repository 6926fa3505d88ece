import { z } from 'zod';
import { callOptions, defineMapAsync } from '../core/define-map-async.ts';
import { TracemillError } from '../core/errors.ts';
import { RecentMap } from '../core/recent-map.ts';
import { isFeedback, joinFeedback as joined } from '../rows/join-feedback.ts';
import { revisionOf } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  ...callOptions,
  maxRows: z
    .int()
    .min(1)
    .default(1000)
    .describe('Rows remembered with their verdicts until they are found where they are written.'),
});

interface FeedbackPorts {
  /** Where the rows are that were told before. */
  readonly told: { find(row: Row): Promise<Row | undefined> };
}

/** The rule alone. Rows that are told for the first time pass at once. One call makes one memory. */
export function joinFeedbackCore({ maxRows }: z.output<typeof options>, { told }: FeedbackPorts) {
  const joinedLast = new RecentMap<unknown, Row>(maxRows); // on their way to where they are found
  const join = async (said: Row): Promise<Row> => {
    const found = await told.find(said);
    if (!found)
      throw new TracemillError('TM_ROW', 'a verdict on a trace that is not here', { reason: 'unknown_trace' });
    const last = joinedLast.get(found.rollout_id) ?? found;
    const row = joined(revisionOf(last) > revisionOf(found) ? last : found, said);
    joinedLast.set(row.rollout_id, row);
    return row;
  };
  return (row: Row): Row | Promise<Row> => (isFeedback(row) ? join(row) : row);
}

/**
 * Put verdicts that came when their trace was told and forgotten on the row that was told: it comes again with the next
 * `revision`. A verdict that the row has already changes nothing. Memory: the last `maxRows` rows.
 *
 * @rejects unknown_trace - no row of the trace or conversation is known
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const joinFeedback = defineMapAsync({
  name: 'join-feedback',
  options,
  rejects: ['unknown_trace'],
  core: joinFeedbackCore,
  example: {
    options: {},
    ports: {
      told: {
        find: async () => ({ rollout_id: 'a', trace_ids: ['t1'], prompt: 'Where?', final_text: 'Here.', revision: 3 }),
      },
    },
    in: [
      {
        is_feedback: true,
        trace_ids: ['t1'],
        reward: 1,
        markers: { reward: 1 },
        feedback: { reward: '1760000002000000000' },
      },
    ],
    out: [
      {
        ...{ rollout_id: 'a', trace_ids: ['t1'], prompt: 'Where?', final_text: 'Here.', revision: 4 },
        ...{ reward: 1, markers: { reward: 1 }, feedback: { reward: '1760000002000000000' } },
      },
    ],
  },
});
