import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { charactersIn } from '../../core/characters-in.ts';
import type { SessionKeys } from '../../core/session-store.ts';
import { fieldsOf, type JsonObject, written } from '../fields.ts';
import type { OtlpRecord } from './decoded-log.ts';
import type { DecodedSpan } from './decoded-span.ts';
import { nanoseconds } from './nanoseconds.ts';
import { PackedSpan } from './packed-span.ts';
import { conversationIn } from './span-group.ts';
import { evaluationEvent } from './span-view.ts';

/** A span, or a log record, as it was decoded: what `OtlpRecord` says, which another process may have written. */
export type SpanRecord = JsonObject;

/** What a record has to have; the rest is read as far as it is there. */
export const spanRecordSchema: z.ZodType<SpanRecord> = z.looseObject({
  trace_id: z.string(),
  span_id: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
});

/** What waits in a session: a record as it was decoded, or a span that is not decoded yet. */
export type ParkedRecord = SpanRecord | PackedSpan;

/** What a receiver of this process gives. */
export type ReceivedRecord = OtlpRecord | PackedSpan;

/** The record as it is decoded. */
export const opened = <T extends object>(record: T | PackedSpan): T | DecodedSpan =>
  record instanceof PackedSpan ? record.opened() : record;

const decoded = (record: ParkedRecord): SpanRecord => opened(record) as SpanRecord; // an `OtlpRecord` is one

/** Tell a log record from a span. */
export const isLogRecord = (record: ParkedRecord): record is SpanRecord =>
  !(record instanceof PackedSpan) && 'event_name' in record;

/** The conversation that a record itself names. */
export const conversationOfRecord = (record: ParkedRecord): string | undefined =>
  record instanceof PackedSpan ? record.conversation : conversationIn(fieldsOf(record['attributes']));

/** What a record is of: a span of a trace, or where it names none, its trace or conversation. */
export function placeOfRecord(record: ParkedRecord): readonly [trace: string, span: string] {
  const [trace, span] = [written(record.trace_id ?? ''), written(record.span_id ?? '')];
  if (span !== '') return [trace, span];
  if (!isLogRecord(record)) return ['', textId(record)];
  return trace === '' ? ['log', conversationOfRecord(record) ?? ''] : [trace, 'log'];
}

/** The same as one text. */
export const placeText = ([trace, span]: readonly [string, string]): string =>
  trace === '' ? span : `${trace}/${span}`;

/** Name a record: copies of it have the same name. */
export const recordId = (record: ParkedRecord): string =>
  isLogRecord(record) ? textId(record) : placeText(placeOfRecord(record));

/** Name one version of a record: what it is of, and what it says. */
export const recordVersion = (record: SpanRecord): string => `${placeText(placeOfRecord(record))} ${textId(record)}`;

/** What a record is known by: its trace, and its conversation. One without either is alone. */
export function recordNames(record: ParkedRecord): readonly (string | undefined)[] {
  const trace = written(record.trace_id ?? '') || undefined;
  const key = conversationOfRecord(record);
  return trace === undefined && key === undefined ? [trace, key, textId(record)] : [trace, key];
}

/** When a record was made, in ms since 1970. */
export function recordTime(record: ParkedRecord): number | undefined {
  if (record instanceof PackedSpan) return record.endMs || undefined;
  const time = nanoseconds(record['end_time_unix_nano'] ?? record['time_unix_nano']);
  return time === undefined ? undefined : Number(time / 1_000_000n);
}

/**
 * Estimate the memory that a record takes, in bytes: its text, and what a record has beside it. What it shares with its
 * batch is not counted.
 */
export function recordSize(record: ParkedRecord): number {
  if (record instanceof PackedSpan) return 500 + record.size;
  const { attributes, events, body } = record;
  return 1000 + charactersIn(attributes) + charactersIn(events) + charactersIn(body);
}

/** Whether two records say the same, whatever the order of their fields. */
export const isSameRecord = (one: ParkedRecord, other: ParkedRecord): boolean =>
  (one instanceof PackedSpan && other instanceof PackedSpan && one.isCopyOf(other)) ||
  textOfRecord(one) === textOfRecord(other);

/** The id of a span alone; what has none is known by all it says. */
function idInSession(record: ParkedRecord): string {
  const { span_id } = record;
  return typeof span_id === 'string' && span_id !== '' && !isLogRecord(record) ? span_id : textId(record);
}

/** How sessions know the records of spans. */
export const sessionKeys: SessionKeys<ParkedRecord> = {
  names: recordNames,
  id: idInSession,
  isOne: (one, other) => one.trace_id === other.trace_id,
  isSame: isSameRecord,
  time: recordTime,
  isAside: (record) => isLogRecord(record) && record['event_name'] === evaluationEvent,
  size: recordSize,
};

/** All that a record says, as one text. */
export const textOfRecord = (record: ParkedRecord): string => canonicalJson(decoded(record));

const textId = (record: ParkedRecord): string => `#${hex12(textOfRecord(record))}`;

/** Twelve hex digits of the SHA-256 of a text. */
export const hex12 = (text: string): string => hash('sha256', text).slice(0, 12);

const traceId = /^[0-9a-f]{32}$/;

/**
 * Name the row of a conversation, or of a trace that names none. A conversation may go by the id of a trace that is not in it,
 * such as the one it began with: its row is not that of the trace.
 */
export const rolloutIdOf = (key: string, isOfTrace: boolean): string =>
  hex12(isOfTrace || !traceId.test(key) ? key : `conversation ${key}`);

const movedEvent = 'tracemill.moved';

/** Says that the records of a trace that were told by its id have gone to a conversation. */
export const movedRecord = (trace_id: string, to: string): SpanRecord => ({
  ...{ trace_id, span_id: null, event_name: movedEvent, time_unix_nano: '0', attributes: {}, body: to },
});

/** Whether a record is one of those. */
export const isMoved = (record: ParkedRecord): boolean => isLogRecord(record) && record['event_name'] === movedEvent;
