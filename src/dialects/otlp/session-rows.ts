import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { charactersIn } from '../../core/characters-in.ts';
import type { SessionKeys } from '../../core/session-store.ts';
import { retractionOf } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import { redactedIn } from '../../text/redact.ts';
import { fieldsOf, isObject, type JsonObject, present, textOf, written } from '../fields.ts';
import { BySpan } from './by-span.ts';
import type { DecodedLog } from './decoded-log.ts';
import type { DecodedSpan } from './decoded-span.ts';
import { nanoseconds } from './nanoseconds.ts';
import { eventOfLog, viewOfSpan } from './record-view.ts';
import { conversationIn, groupSpans, type SpanGroup } from './span-group.ts';
import { type SpanRow, spanRow } from './span-row.ts';
import { type SpanEvent, type SpanView, spanView, withEvents } from './span-view.ts';

/** A span, or a log record, as it was decoded: what `OtlpRecord` says, which another process may have written. */
export type SpanRecord = JsonObject;

/** What a record has to have; the rest is read as far as it is there. */
export const spanRecordSchema: z.ZodType<SpanRecord> = z.looseObject({
  trace_id: z.string(),
  span_id: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
});

/** What is told of a session. */
interface Telling {
  /** How many of the records, from the first, were told before. */
  readonly told?: number;
  /** The session goes by the name of one that is forgotten. */
  readonly isLate?: boolean;
  /** Tell verdicts that came without their trace as a row of their own, which says so. */
  readonly tellsFeedback?: boolean;
}

/**
 * Tell the records of a session as rows, one for each conversation in it: the same rows in whatever order the records came.
 * `revision` counts the records a row is made of, so that a fuller row has a higher one, and the same records the same.
 * `span_counts` says what is missing. Rows told before under a name that the conversation no longer has are retracted.
 *
 * @source house rule
 */
export function sessionRows(records: readonly SpanRecord[], telling: Telling = {}): Row[] {
  const { told = 0 } = telling;
  const rows = rowsOf(records, telling);
  if (told > 0 && told === records.length) return rows;
  const names = new Set(rows.map(({ rollout_id }) => rollout_id));
  const early = told === 0 ? leftBehind(records) : records.slice(0, told);
  const before = early.length === 0 ? [] : rowsOf(early, { ...telling, tellsFeedback: false });
  const gone = before.filter(({ rollout_id }) => !names.has(rollout_id));
  return [...rows, ...gone.map((row) => retractionOf(row, rows))];
}

function rowsOf(all: readonly SpanRecord[], { isLate = false, tellsFeedback = false }: Telling): Row[] {
  const pieces = piecesOf(withoutMoved(all));
  const views = pieces.map(({ view, events }, order) => withEvents(inOrder(view, order), events));
  const known = new BySpan<true>();
  for (const { isThere, view } of pieces) if (isThere) known.set(view.traceId, view.spanId, true);
  const rows: Row[] = [];
  for (const group of groupSpans(views, 'conversation')) {
    const said = spanRow(group, false);
    if (!said.hasContent && !tellsFeedback) continue;
    const own = group.spans.map(({ order }) => pieces[order] as Piece); // its order is the place of its piece
    const key = group.key ?? own[0]?.id ?? '';
    if (said.hasContent) rows.push(told(said, { group, own, key, known, isLate }));
    else rows.push(...feedbackOf(said.row, key, own));
  }
  return rows;
}

interface Told {
  readonly group: SpanGroup;
  readonly own: readonly Piece[];
  readonly key: string;
  readonly known: BySpan<true>;
  readonly isLate: boolean;
}

/** Add to a row what it was made of. The row was made for this and is not copied: a copy takes longer than all the rest. */
function told(said: SpanRow, { group, own, key, known, isLate }: Told): Row {
  const row: Record<string, unknown> = said.row;
  const redacted = redactedIn(row);
  const verdicts = verdictsOf(own);
  const first = isLate ? own.map(({ id }) => id).sort()[0] : undefined;
  row['rollout_id'] = isLate ? hex12(JSON.stringify([key, first])) : (textOf(row['rollout_id']) ?? hex12(key));
  row['revision'] = own.reduce((sum, piece) => sum + piece.records, 0);
  row['span_counts'] = countsOf(group, said, own, known);
  if (verdicts.length > 0) row['feedback'] = timesOf(verdicts);
  if (Object.keys(redacted).length > 0) row['redacted'] = redacted;
  if (isLate) Object.assign(row, { is_late: true, part_of: hex12(key) });
  return row as Row;
}

/** What was said of a trace that is not here: its verdicts and when they were given, by name. */
function feedbackOf(
  { reward, markers, conversation_id, trace_ids }: JsonObject,
  key: string,
  pieces: readonly Piece[],
): Row[] {
  const verdicts = verdictsOf(pieces);
  if (verdicts.length === 0 || pieces.some(({ isThere }) => isThere)) return [];
  return [
    present({
      schema_version: '1',
      ...{ prompt: '', steps: [], final_text: '' },
      ...{ conversation_id, trace_ids, reward, markers, rollout_id: hex12(key), revision: verdicts.length },
      ...{ feedback: timesOf(verdicts), is_feedback: true },
    }) as Row,
  ];
}

const verdictsOf = (pieces: readonly Piece[]): readonly SpanEvent[] =>
  pieces.flatMap(({ events }) => (events.length === 0 ? events : events.filter(isVerdict)));
const isVerdict = ({ name }: SpanEvent): boolean => name === 'gen_ai.evaluation.result';

/** When each verdict was given, by its name: of one name the latest. */
function timesOf(verdicts: readonly SpanEvent[]): Readonly<Record<string, string>> {
  const times = new Map<string, bigint>();
  for (const { attributes, time = 0n } of verdicts) {
    const name = written(attributes['gen_ai.evaluation.name'] ?? '');
    if (time >= (times.get(name) ?? 0n)) times.set(name, time);
  }
  return Object.fromEntries([...times].map(([name, time]) => [name, String(time)]));
}

/** Give a view its place. Every view here was made for this row, so that it need not be copied. */
function inOrder(view: Open<SpanView>, order: number): SpanView {
  view.order = order;
  return view;
}
type Open<T> = { -readonly [K in keyof T]: T[K] };

/** A trace that turned out to be part of a conversation is told there: its records come again with the name of it. */
function withoutMoved(records: readonly SpanRecord[]): readonly SpanRecord[] {
  const moved = movedTraces(records);
  if (moved.size === 0) return records;
  return records.filter(
    (record) => !moved.has(record['trace_id']) || (!isMoved(record) && conversationOfRecord(record) !== undefined),
  );
}

function movedTraces(records: readonly SpanRecord[]): ReadonlySet<unknown> {
  const moved = new Set<unknown>();
  for (const record of records) if (isMoved(record)) moved.add(record['trace_id']);
  return moved;
}

/** What was read under the name of a trace before it moved: a process that was killed then may have told it. */
function leftBehind(records: readonly SpanRecord[]): readonly SpanRecord[] {
  const moved = movedTraces(records);
  if (moved.size === 0) return [];
  return records.filter(
    (record) => moved.has(record['trace_id']) && !isMoved(record) && conversationOfRecord(record) === undefined,
  );
}

const movedEvent = 'tracemill.moved';
const isMoved = ({ event_name }: SpanRecord): boolean => event_name === movedEvent;

/** Says that the records of a trace that were told by its id have gone to a conversation. */
export const movedRecord = (trace_id: string, to: string): SpanRecord => ({
  ...{ trace_id, span_id: null, event_name: movedEvent, time_unix_nano: '0', attributes: {}, body: to },
});

/** The conversation that a record itself names. */
export const conversationOfRecord = (record: SpanRecord): string | undefined =>
  conversationIn(fieldsOf(record['attributes']));

/** What a reader of the row has to know of what it was made of; what is 0 is left out, but for spans and orphans. */
function countsOf(
  { spans }: SpanGroup,
  { row, usageMissing }: SpanRow,
  pieces: readonly Piece[],
  known: BySpan<true>,
): JsonObject {
  const calls = row['steps'] as readonly JsonObject[];
  const some = (n: number) => (n > 0 ? n : undefined);
  return present({
    spans: count(pieces, ({ isThere }) => isThere),
    orphans: count(spans, ({ parentId, traceId }) => parentId !== '' && !known.get(traceId, parentId)),
    unanswered_calls: some(count(calls, ({ tool, result }) => tool !== undefined && result === null)),
    missing_tokens: some(usageMissing),
    missing_spans: some(count(pieces, ({ isThere, view }) => !isThere && view.spanId !== '')),
    cut_by_sender: some(count(pieces, ({ isCut }) => isCut)),
  });
}

function count<T>(list: readonly T[], is: (one: T) => boolean): number {
  let n = 0;
  for (const one of list) if (is(one)) n++;
  return n;
}

/** A span with all that came for it. */
interface Piece {
  /** The same whatever came first. */
  readonly id: string;
  readonly view: SpanView;
  readonly events: readonly SpanEvent[];
  /** How many records it is made of: the span, its other versions, its log records. */
  readonly records: number;
  /** The span itself came, not only what was logged for it. */
  readonly isThere: boolean;
  /** Its sender left out what was too much. */
  readonly isCut: boolean;
}

/** The spans of a session in an order of their own: by start; of equals the one that lasts longer, as parents do; by id. */
function piecesOf(records: readonly SpanRecord[]): Piece[] {
  const versions = new Map<string, SpanRecord[]>();
  const logs = new Map<string, SpanRecord[]>();
  for (const record of records) add(isLogRecord(record) ? logs : versions, spanOf(record), record);
  const pieces: Piece[] = [];
  for (const [id, all] of versions) pieces.push(pieceOf(id, all, logs.get(id) ?? none));
  for (const [id, all] of logs) if (!versions.has(id)) pieces.push(pieceOf(id, none, all));
  return pieces.sort(
    (a, b) =>
      compare(a.view.start ?? 0n, b.view.start ?? 0n) ||
      compare(b.view.end ?? 0n, a.view.end ?? 0n) ||
      compare(a.id, b.id),
  );
}

const none: readonly SpanRecord[] = [];

function pieceOf(id: string, versions: readonly SpanRecord[], logs: readonly SpanRecord[]): Piece {
  const said = logs.length > 1 ? logs.toSorted(byText) : logs;
  return {
    id,
    view: versions.length === 0 ? standIn(said[0] ?? {}) : fullest(versions),
    events: said.map(eventOf),
    records: versions.length + logs.length,
    isThere: versions.length > 0,
    isCut: versions.some(
      (span) => Number(span['dropped_attributes_count']) > 0 || Number(span['dropped_events_count']) > 0,
    ),
  };
}

function add(to: Map<string, SpanRecord[]>, id: string, record: SpanRecord): void {
  const all = to.get(id);
  if (all) all.push(record);
  else to.set(id, [record]);
}

/** Of several versions the one that says most; of equals the one whose text comes last, as any rule will do that holds always. */
function fullest(versions: readonly SpanRecord[]): SpanView {
  const ordered = versions.length > 1 ? versions.toSorted(byText) : versions;
  const [first = spanView({}, 0), ...others] = ordered.map(viewOf);
  return others.reduce((most, one) => (weight(one) >= weight(most) ? one : most), first);
}
/** A record that is whole is seen as it is; what is missing is read with care. */
const viewOf = (record: SpanRecord): SpanView =>
  Array.isArray(record['events']) && isObject(record['status'])
    ? viewOfSpan(record as unknown as DecodedSpan, 0)
    : spanView(record, 0);
const weight = ({ attributes, events }: SpanView) => Object.keys(attributes).length + events.length;

/** The span that log records name and that is not there. */
function standIn(log: SpanRecord): SpanView {
  const { time } = eventOf(log);
  const key = conversationIn(fieldsOf(log['attributes']));
  const { trace_id, span_id } = log;
  return {
    ...spanView({ trace_id, span_id, attributes: key === undefined ? {} : { 'gen_ai.conversation.id': key } }, 0),
    ...{ start: time, end: time },
  };
}

const eventOf = (log: SpanRecord): SpanEvent =>
  eventOfLog({ ...log, attributes: fieldsOf(log['attributes']) } as unknown as DecodedLog);

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
const byText = (a: SpanRecord, b: SpanRecord): number => compare(canonicalJson(a), canonicalJson(b));

/** Tell a log record from a span. */
export const isLogRecord = (record: SpanRecord): boolean => 'event_name' in record;

/** Name what a record is of: a span, or where it names none, its trace or conversation. */
function spanOf(record: SpanRecord): string {
  const [trace, span] = [written(record['trace_id'] ?? ''), written(record['span_id'] ?? '')];
  if (span !== '') return `${trace}/${span}`;
  if (!isLogRecord(record)) return textId(record);
  return trace === '' ? `log/${conversationIn(fieldsOf(record['attributes'])) ?? ''}` : `${trace}/log`;
}

/** Name a record: copies of it have the same name. */
export const recordId = (record: SpanRecord): string => (isLogRecord(record) ? textId(record) : spanOf(record));

/** Name one version of a record: what it is of, and what it says. */
export const recordVersion = (record: SpanRecord): string => `${spanOf(record)} ${textId(record)}`;

/** What a record is known by: its trace, and its conversation. One without either is alone. */
export function recordNames(record: SpanRecord): readonly string[] {
  const trace = written(record['trace_id'] ?? '');
  const key = conversationIn(fieldsOf(record['attributes']));
  const names = [...(trace === '' ? [] : [`trace ${trace}`]), ...(key === undefined ? [] : [`key ${key}`])];
  return names.length > 0 ? names : [textId(record)];
}

/** When a record was made, in ms since 1970. */
export function recordTime(record: SpanRecord): number | undefined {
  const time = nanoseconds(record['end_time_unix_nano'] ?? record['time_unix_nano']);
  return time === undefined ? undefined : Number(time / 1_000_000n);
}

/**
 * Estimate the memory that a record takes, in bytes: its text, and what a record has beside it. What it shares with its
 * batch is not counted.
 */
export const recordSize = ({ attributes, events, body }: SpanRecord): number =>
  1000 + charactersIn(attributes) + charactersIn(events) + charactersIn(body);

/** Whether two records say the same, whatever the order of their fields. */
export const isSameRecord = (one: SpanRecord, other: SpanRecord): boolean =>
  canonicalJson(one) === canonicalJson(other);

/** How sessions know the records of spans. */
export const sessionKeys: SessionKeys<SpanRecord> = {
  names: recordNames,
  id: recordId,
  isSame: isSameRecord,
  time: recordTime,
  size: recordSize,
};

const textId = (record: SpanRecord): string => `#${hex12(canonicalJson(record))}`;
const hex12 = (text: string): string => hash('sha256', text).slice(0, 12);
