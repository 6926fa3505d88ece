import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../fields.ts';
import { type DecodedLogs, decodedLogs } from './decoded-log.ts';
import { type DecodedBody, decodedSpans } from './decoded-span.ts';
import { logsOfProtobuf, spansOfProtobuf } from './read-protobuf.ts';
import { type SpanRecord, spanRecordSchema } from './span-record.ts';

/** What one export holds: its spans or log records, and what of them cannot be kept. */
export interface SpanBatch extends JsonObject {
  readonly records: readonly SpanRecord[];
  readonly refused: readonly { readonly record: unknown; readonly reason: string }[];
}

export const spanBatchSchema: z.ZodType<SpanBatch> = z.looseObject({
  records: z.array(spanRecordSchema),
  refused: z.array(z.object({ record: z.unknown(), reason: z.string() })),
});

/**
 * Read an export as the exporter of a Collector writes it to Kafka: a whole request of traces or logs, in protobuf or JSON.
 * Which of the four is seen by the bytes alone.
 *
 * @throws Error - the bytes are none of them
 * @source OpenTelemetry Collector, Kafka exporter: encodings `otlp_proto` and `otlp_json`
 */
export function spanBatchOf(bytes: Uint8Array): SpanBatch {
  const body = jsonIn(bytes);
  if (body) return isLogs(body) ? ofLogs(decodedLogs(body)) : ofSpans(decodedSpans(body));
  let spans: SpanBatch | undefined;
  try {
    spans = ofSpans(spansOfProtobuf(bytes));
    if (spans.records.length > 0 || spans.refused.length === 0) return spans;
  } catch {
    // a request of logs has the same shape down to its records
  }
  const logs = ofLogs(logsOfProtobuf(bytes));
  return spans && logs.records.length === 0 ? spans : logs;
}

const ofSpans = ({ spans, refused }: DecodedBody): SpanBatch => ({
  records: spans as readonly object[] as SpanRecord[],
  refused,
});
const ofLogs = ({ logs, refused }: DecodedLogs): SpanBatch => ({
  records: logs as readonly object[] as SpanRecord[],
  refused,
});

const isLogs = (body: JsonObject) => 'resourceLogs' in body;
const [brace, blanks] = [0x7b, new Set([0x20, 0x09, 0x0a, 0x0d])];

/** JSON begins with a brace; protobuf begins with its first field, whose byte is a line feed, and is never JSON behind it. */
function jsonIn(bytes: Uint8Array): JsonObject | undefined {
  let at = 0;
  while (blanks.has(bytes[at] ?? 0)) at++;
  if (bytes[at] !== brace) return undefined;
  try {
    const body = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(body) ? body : undefined;
  } catch (error) {
    if (at === 0) throw error; // no protobuf begins with a brace
    return undefined;
  }
}
