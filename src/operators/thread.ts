import { z } from 'zod';
import { defineSession, type SessionCore, sessionOptions } from '../core/define-session.ts';
import {
  conversationOfRecord,
  isSameRecord,
  movedRecord,
  recordId,
  recordSize,
  recordTime,
  type SpanRecord,
} from '../dialects/otlp/span-record.ts';

const options = z.strictObject({
  ...sessionOptions,
  maxIdleMs: sessionOptions.maxIdleMs
    .removeDefault()
    .default(5000)
    .describe(
      'A trace is read as whole when none of its spans came for this long, in ms of the clock or of event time.',
    ),
});

/** The rule alone. */
export const threadCore = (): SessionCore<SpanRecord, SpanRecord> => ({
  names: (record) => [traceOf(record) || `#${recordId(record)}`],
  id: recordId,
  isSame: isSameRecord,
  time: recordTime,
  size: recordSize,
  close(records, told) {
    const key = keyOf(records);
    // what came first without a name may have been told without it by a process that was killed then
    const before = keyOf(records.slice(0, Math.max(told, 1)));
    const fresh = records.slice(told);
    if (key === before) return fresh.map((record) => named(record, key));
    const again = records.slice(0, told).filter((record) => conversationOfRecord(record) === undefined);
    const [trace] = records.map(traceOf);
    return [
      ...(before === undefined && trace ? [movedRecord(trace, key ?? '')] : []),
      ...[...again, ...fresh].map((record) => named(record, key)),
    ];
  },
});

const traceOf = ({ trace_id }: SpanRecord): string => String(trace_id ?? '');

/** The conversation of a trace: the one that its earliest span names. */
function keyOf(records: readonly SpanRecord[]): string | undefined {
  const naming = records.flatMap((record) => {
    const key = conversationOfRecord(record);
    return key === undefined ? [] : [{ key, at: String(record['start_time_unix_nano'] ?? '').padStart(20, '0') }];
  });
  const [first, ...others] = naming;
  if (!first) return undefined;
  return others.reduce(
    (least, one) => (one.at < least.at || (one.at === least.at && one.key < least.key) ? one : least),
    first,
  ).key;
}

function named(record: SpanRecord, key: string | undefined): SpanRecord {
  if (key === undefined || conversationOfRecord(record) !== undefined) return record;
  return { ...record, attributes: { ...(record['attributes'] as object), 'gen_ai.conversation.id': key } };
}

/**
 * Give every span the conversation that any span of its trace names, so that all spans of a conversation can meet in one
 * place, whatever its services wrote on theirs. A span that names one keeps it. When the name comes after a span that has
 * none, the spans of the trace are given, again if they were, with it, behind a record that takes back those without.
 * Memory: `maxParked` spans, `maxParkedBytes`.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const thread = defineSession({
  name: 'thread',
  options,
  core: threadCore,
  example: {
    options: {},
    ports: {},
    in: [span('1', {}), span('2', { 'session.id': 's' })],
    out: [
      movedRecord('a'.repeat(32), 's'),
      span('1', { 'gen_ai.conversation.id': 's' }),
      span('2', { 'session.id': 's' }),
    ],
  },
});

function span(id: string, attributes: object): SpanRecord {
  return { trace_id: 'a'.repeat(32), span_id: id.repeat(16), attributes };
}
