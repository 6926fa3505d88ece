import { fieldsOf, isObject, type JsonObject, listOf, textOf } from '../fields.ts';
import { anyValue, attributesOf } from './any-value.ts';
import { type DecodedSpan, idOf, type Refused, type Shared, sharedOf } from './decoded-span.ts';
import { nanoseconds } from './nanoseconds.ts';
import { conversationIn } from './span-group.ts';

/**
 * A log record as it is stored and sent on. It is an event of the span it names; of its trace where it names no span; of
 * its conversation where it names neither. A late verdict travels as one, too.
 */
export interface DecodedLog extends Shared {
  /** Lower-case hex; empty where it names none. */
  readonly trace_id: string;
  readonly span_id: string | null;
  /** Empty where it has none. */
  readonly event_name: string;
  /** Decimal text; the time it was observed where it has none of its own. */
  readonly time_unix_nano: string;
  readonly attributes: JsonObject;
  /** Null when absent. */
  readonly body: unknown;
}

/** What arrives: spans, and the log records that belong to them. */
export type OtlpRecord = DecodedSpan | DecodedLog;

/** Tell a log record from a span. */
export const isLog = (record: OtlpRecord): record is DecodedLog => 'event_name' in record;

/** The log records of a body that can be kept, and those that cannot. */
export interface DecodedLogs {
  readonly logs: readonly DecodedLog[];
  readonly refused: readonly Refused[];
}

/**
 * Decode an OTLP/JSON log body record by record. One that names neither a trace nor a conversation belongs to no row: it
 * is refused.
 *
 * @source OpenTelemetry Protocol 1.11
 */
export function decodedLogs(body: JsonObject): DecodedLogs {
  const all = listOf(body['resourceLogs'])
    .map(fieldsOf)
    .flatMap((resource) =>
      listOf(resource['scopeLogs'])
        .map(fieldsOf)
        .flatMap((scope) => {
          const shared = sharedOf(resource, scope);
          return listOf(scope['logRecords']).map((log) => decodedLog(fieldsOf(log), shared));
        }),
    );
  return sorted(all);
}

/** Part the records that belong to something from those that do not. */
export function sorted(all: readonly DecodedLog[]): DecodedLogs {
  const belongs = (log: DecodedLog) => log.trace_id !== '' || conversationIn(log.attributes) !== undefined;
  return {
    logs: all.filter(belongs),
    refused: all.filter((log) => !belongs(log)).map((record) => ({ record, reason: 'no_trace' })),
  };
}

function decodedLog(log: JsonObject, shared: Shared): DecodedLog {
  const attributes = attributesOf(log['attributes']);
  return {
    trace_id: idOf(log['traceId'], 32) ?? '',
    span_id: idOf(log['spanId'], 16) ?? null,
    event_name: textOf(log['eventName']) ?? textOf(attributes['event.name']) ?? '',
    time_unix_nano: String(nanoseconds(log['timeUnixNano']) ?? nanoseconds(log['observedTimeUnixNano']) ?? 0n),
    attributes,
    body: isObject(log['body']) ? anyValue(log['body']) : null,
    ...shared,
  };
}
