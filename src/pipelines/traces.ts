import { z } from 'zod';
import { compose } from '../core/compose.ts';
import { sessionOptions } from '../core/define-session.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { type SpanBatch, spanBatchOf, spanBatchSchema } from '../dialects/otlp/span-batch.ts';
import {
  conversationOfRecord,
  recordId,
  recordVersion,
  type SpanRecord,
  spanRecordSchema,
} from '../dialects/otlp/span-record.ts';
import { decodeSpans } from '../operators/decode-spans.ts';
import { joinFeedback } from '../operators/join-feedback.ts';
import { redact } from '../operators/redact.ts';
import { sessions } from '../operators/sessions.ts';
import { thread } from '../operators/thread.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { definePipeline } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';

const traceStagesOptions = z.strictObject({
  ...decodeSpans.spec.options.shape,
  traceIdleMs: thread.spec.options.shape.maxIdleMs,
  ...sessionOptions,
});

/** Where a row that was told is found again: nowhere, as rows of a topic have gone on to others. */
const told = { find: async () => undefined };

/**
 * Exports of OpenTelemetry in, one row for each conversation out, without secrets and, unless told otherwise, without
 * personal data: nothing is stored before it is redacted. Spans are taken out of their exports, meet by trace, then by
 * conversation. A verdict on a trace that is not here is rejected as `unknown_trace`.
 */
export function traceStages(config: z.input<typeof traceStagesOptions>): readonly AnyStage[] {
  const { salt, personal, rules, traceIdleMs, ...limits } = config;
  const secrets = { salt, ...(personal !== undefined && { personal }), ...(rules && { rules }) };
  const { maxIdleMs: _idle, ...others } = limits;
  return [
    defineStage<SpanBatch, SpanRecord>({
      name: 'decode',
      from: 'spans',
      to: 'trace_spans',
      reads: spanBatchSchema,
      writes: spanRecordSchema,
      parse: spanBatchOf,
      key: traceOf,
      id: recordVersion,
      per: 'record',
      operator: () => decodeSpans(secrets),
    }),
    defineStage<SpanRecord, SpanRecord>({
      name: 'thread',
      from: 'trace_spans',
      to: 'session_spans',
      reads: spanRecordSchema,
      writes: spanRecordSchema,
      key: (record) => conversationOfRecord(record) ?? traceOf(record),
      id: recordVersion,
      per: 'task',
      operator: () => thread({ ...others, ...(traceIdleMs !== undefined && { maxIdleMs: traceIdleMs }) }),
    }),
    defineStage<SpanRecord, Row>({
      name: 'sessions',
      from: 'session_spans',
      to: 'traces',
      reads: spanRecordSchema,
      writes: rowSchema,
      key: ({ rollout_id }) => String(rollout_id),
      id: rowIdentity.id,
      per: 'task',
      operator: () =>
        compose(
          sessions({ ...limits, tellsFeedback: true }),
          redact({ ...secrets, personal: personal ?? true }),
          joinFeedback({}, { told }),
        ),
    }),
  ];
}

const traceOf = (record: SpanRecord): string => String(record['trace_id'] || recordId(record));

/** Traces by their name: exports of a topic in, as the Kafka exporter of a Collector writes them. */
export const tracesPipeline = definePipeline({
  name: 'traces',
  summary:
    'Assemble spans of OpenTelemetry, as a Collector writes them to a topic, into one row for each conversation.',
  options: traceStagesOptions,
  example: { salt: 'a secret of yours' },
  open: (options) => ({
    stages: traceStages(options),
    source: undefined,
    input: { key: () => '', id: () => '' },
    out: 'traces',
  }),
});
