import { z } from 'zod';
import { defineSession, type SessionCore, sessionOptions } from '../core/define-session.ts';
import { sessionRows } from '../dialects/otlp/session-rows.ts';
import { opened, type ParkedRecord, type SpanRecord, sessionKeys } from '../dialects/otlp/span-record.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  ...sessionOptions,
  tellsFeedback: z
    .boolean()
    .default(false)
    .describe('Tell verdicts that came without their trace as rows marked `is_feedback`, for `joinFeedback`.'),
});

/** The rule alone. */
export const sessionsCore = ({ tellsFeedback }: z.output<typeof options>): SessionCore<ParkedRecord, Row> => ({
  ...sessionKeys,
  shown: opened,
  close: (records, told, isLate) => sessionRows(records, { told, isLate, tellsFeedback }),
});

/**
 * Assemble spans and log records into one row for each conversation, or each trace where none is named, in whatever order
 * they come and however often. A conversation is told when no span of it came for `maxIdleMs`. A span that comes later tells
 * it again under the same `rollout_id` with a higher `revision`: readers keep the highest (`keepLatestRevision`). `revision`
 * counts the spans and log records of the row, so the same spans give the same row and revision on every replay.
 * `span_counts` says what is missing: spans whose parent never came, calls without an answer, spans their sender cut. What
 * comes when its conversation is forgotten becomes a row of its own, marked `is_late`; a port tells of those that an earlier
 * process has told. Tool calls that several spans tell
 * are one call; tokens count on model spans only. Counted: `duplicate`, `late`, `too_late`, `forgotten`, `forgotten_early`
 * and why each session closed. Memory: `maxParked` records,
 * `maxParkedBytes`.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const sessions = defineSession({
  name: 'sessions',
  options,
  core: sessionsCore,
  example: {
    options: {},
    ports: {},
    in: [span('2', '1', 'execute_tool'), span('1', null, 'chat'), span('2', '1', 'execute_tool')],
    out: [
      {
        schema_version: '1',
        prompt: 'Where is it?',
        steps: [{ tool: 'find', arguments: { id: 7 }, result: 'here' }],
        final_text: 'Here.',
        conversation_id: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        ts: 1760000000000000000,
        trace_ids: ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
        rollout_id: '3ba3f5f43b92',
        revision: 2,
        span_counts: { spans: 2, orphans: 0 },
      },
    ],
  },
});

function span(id: string, parent: string | null, operation: string): SpanRecord {
  const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const chat = {
    'gen_ai.input.messages': said('user', 'Where is it?'),
    'gen_ai.output.messages': said('assistant', 'Here.'),
  };
  const tool = {
    'gen_ai.tool.name': 'find',
    'gen_ai.tool.call.arguments': '{"id":7}',
    'gen_ai.tool.call.result': 'here',
  };
  return {
    trace_id: 'a'.repeat(32),
    span_id: id.repeat(16),
    parent_span_id: parent?.repeat(16) ?? null,
    name: operation,
    start_time_unix_nano: `176000000000000000${parent === null ? 0 : 1}`.padEnd(19, '0'),
    end_time_unix_nano: `176000000000000000${parent === null ? 9 : 2}`.padEnd(19, '0'),
    attributes: { 'gen_ai.operation.name': operation, ...(operation === 'chat' ? chat : tool) },
  };
}
