import { retractionOf } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import { redactedIn } from '../../text/redact.ts';
import { fieldsOf, isObject, type JsonObject, type Open, present, textOf, written } from '../fields.ts';
import { BySpan } from './by-span.ts';
import type { DecodedLog } from './decoded-log.ts';
import type { DecodedSpan } from './decoded-span.ts';
import { PackedSpan } from './packed-span.ts';
import { eventOfLog, viewOfSpan } from './record-view.ts';
import { conversationIn, groupSpans, type SpanGroup } from './span-group.ts';
import {
  conversationOfRecord,
  hex12,
  isLogRecord,
  isMoved,
  type ParkedRecord,
  placeOfRecord,
  placeText,
  rolloutIdOf,
  type SpanRecord,
  textOfRecord,
} from './span-record.ts';
import { type SpanRow, spanRow } from './span-row.ts';
import { isEvaluation, type SpanEvent, type SpanView, spanView, withEvents } from './span-view.ts';

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
export function sessionRows(records: readonly ParkedRecord[], telling: Telling = {}): Row[] {
  const { told = 0 } = telling;
  const rows = rowsOf(records, telling);
  if (told > 0 && told === records.length) return rows;
  const names = new Set(rows.map(({ rollout_id }) => rollout_id));
  const early = told === 0 ? leftBehind(records) : records.slice(0, told);
  const before = early.length === 0 ? [] : rowsOf(early, { ...telling, tellsFeedback: false });
  const gone = before.filter(({ rollout_id }) => !names.has(rollout_id));
  return [...rows, ...gone.map((row) => retractionOf(row, rows))];
}

function rowsOf(all: readonly ParkedRecord[], { isLate = false, tellsFeedback = false }: Telling): Row[] {
  const pieces = piecesOf(withoutMoved(all));
  const views = pieces.map(({ view, events }, order) => withEvents(inOrder(view, order), events));
  const known = new BySpan<true>();
  for (const { isThere, view } of pieces) if (isThere) known.set(view.traceId, view.spanId, true);
  const rows: Row[] = [];
  for (const group of groupSpans(views, 'conversation')) {
    const said = spanRow(group, false);
    if (!said.hasContent && !tellsFeedback) continue;
    const own = group.spans.map(({ order }) => pieces[order] as Piece); // its order is the place of its piece
    const key = group.key ?? (own[0] ? placeText(own[0].place) : '');
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
  const first = isLate ? own.map(({ place }) => placeText(place)).sort()[0] : undefined;
  row['rollout_id'] = isLate ? hex12(JSON.stringify([key, first])) : (textOf(row['rollout_id']) ?? rolloutOf(key, own));
  row['revision'] = own.reduce((sum, piece) => sum + piece.records, 0);
  if (said.leftOut) row['parts_left_out'] = said.leftOut;
  row['span_counts'] = countsOf(group, said, own, known);
  if (verdicts.length > 0) Object.assign(row, present(feedbackIn(verdicts)));
  if (Object.keys(redacted).length > 0) row['redacted'] = redacted;
  if (isLate) Object.assign(row, { is_late: true, part_of: rolloutOf(key, own) });
  return row as Row;
}

const rolloutOf = (key: string, pieces: readonly Piece[]): string =>
  rolloutIdOf(
    key,
    pieces.some(({ place }) => place[0] === key),
  );

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
      ...{ conversation_id, trace_ids, reward, markers, rollout_id: rolloutOf(key, pieces), revision: verdicts.length },
      ...{ ...feedbackIn(verdicts), is_feedback: true },
    }) as Row,
  ];
}

function verdictsOf(pieces: readonly Piece[]): readonly SpanEvent[] {
  const verdicts: SpanEvent[] = [];
  for (const { events } of pieces) for (const event of events) if (isEvaluation(event)) verdicts.push(event);
  return verdicts;
}

/** When each verdict was given and what was said with it, by its name: of one name the latest. */
function feedbackIn(verdicts: readonly SpanEvent[]): { feedback: JsonObject; feedback_notes: JsonObject | undefined } {
  const latest = new Map<string, SpanEvent>();
  for (const verdict of verdicts) {
    const name = written(verdict.attributes['gen_ai.evaluation.name'] ?? '');
    if ((verdict.time ?? 0n) >= (latest.get(name)?.time ?? 0n)) latest.set(name, verdict);
  }
  const notes = [...latest].flatMap(([name, { attributes }]) => {
    const label = textOf(attributes['gen_ai.evaluation.score.label']);
    const reason = textOf(attributes['gen_ai.evaluation.explanation']);
    return label === undefined && reason === undefined ? [] : [[name, present({ label, reason })] as const];
  });
  return {
    feedback: Object.fromEntries([...latest].map(([name, { time = 0n }]) => [name, String(time)])),
    feedback_notes: notes.length > 0 ? Object.fromEntries(notes) : undefined,
  };
}

/** Give a view its place. Every view here was made for this row, so that it need not be copied. */
function inOrder(view: Open<SpanView>, order: number): SpanView {
  view.order = order;
  return view;
}
/** A trace that turned out to be part of a conversation is told there: its records come again with the name of it. */
function withoutMoved(records: readonly ParkedRecord[]): readonly ParkedRecord[] {
  const moved = movedTraces(records);
  if (moved.size === 0) return records;
  return records.filter(
    (record) => !moved.has(record.trace_id) || (!isMoved(record) && conversationOfRecord(record) !== undefined),
  );
}

function movedTraces(records: readonly ParkedRecord[]): ReadonlySet<unknown> {
  const moved = new Set<unknown>();
  for (const record of records) if (isMoved(record)) moved.add(record.trace_id);
  return moved;
}

/** What was read under the name of a trace before it moved: a process that was killed then may have told it. */
function leftBehind(records: readonly ParkedRecord[]): readonly ParkedRecord[] {
  const moved = movedTraces(records);
  if (moved.size === 0) return [];
  return records.filter(
    (record) => moved.has(record.trace_id) && !isMoved(record) && conversationOfRecord(record) === undefined,
  );
}

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
  /** What it is of, whatever came first. */
  readonly place: readonly [trace: string, span: string];
  readonly view: SpanView;
  readonly events: readonly SpanEvent[];
  /** How many records it is made of: the span, its other versions, its log records. */
  readonly records: number;
  /** The span itself came, not only what was logged for it. */
  readonly isThere: boolean;
  /** Its sender left out what was too much. */
  readonly isCut: boolean;
}

/** All that came for a span. */
interface Parts {
  readonly place: readonly [trace: string, span: string];
  readonly versions: ParkedRecord[];
  readonly logs: SpanRecord[];
}

/** The spans of a session in an order of their own: by start; of equals the one that lasts longer, as parents do; by id. */
function piecesOf(records: readonly ParkedRecord[]): Piece[] {
  const known = new BySpan<Parts>();
  const all: Parts[] = [];
  for (const record of records) {
    const place = placeOfRecord(record);
    let parts = known.get(...place);
    if (!parts) {
      parts = { place, versions: [], logs: [] };
      known.set(...place, parts);
      all.push(parts);
    }
    if (isLogRecord(record)) parts.logs.push(record);
    else parts.versions.push(record);
  }
  return all
    .map(pieceOf)
    .sort(
      (a, b) =>
        compare(a.view.start ?? 0n, b.view.start ?? 0n) ||
        compare(b.view.end ?? 0n, a.view.end ?? 0n) ||
        compare(placeText(a.place), placeText(b.place)),
    );
}

const none: readonly never[] = [];

function pieceOf({ place, versions, logs }: Parts): Piece {
  const said = inTextOrder(logs);
  return {
    place,
    view: versions.length === 0 ? standIn(said[0] ?? {}) : fullest(versions),
    events: said.length === 0 ? none : said.map(eventOf),
    records: versions.length + logs.length,
    isThere: versions.length > 0,
    isCut: versions.some(isCut),
  };
}

const isCut = (span: ParkedRecord): boolean =>
  span instanceof PackedSpan
    ? span.isCut
    : Number(span['dropped_attributes_count']) > 0 || Number(span['dropped_events_count']) > 0;

/** Of several versions the one that says most; of equals the one whose text comes last, as any rule will do that holds always. */
function fullest(versions: readonly ParkedRecord[]): SpanView {
  if (versions.length === 1) return viewOf(versions[0] as ParkedRecord); // it is there
  const [first = spanView({}, 0), ...others] = inTextOrder(versions).map(viewOf);
  return others.reduce((most, one) => (weight(one) >= weight(most) ? one : most), first);
}
/** A record that is whole is seen as it is; what is missing is read with care. */
const viewOf = (record: ParkedRecord): SpanView => {
  if (record instanceof PackedSpan) return record.view();
  return Array.isArray(record['events']) && isObject(record['status'])
    ? viewOfSpan(record as unknown as DecodedSpan, 0)
    : spanView(record, 0);
};
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

/** Records in the order of all that they say. The text of each is written once: there may be thousands of a trace. */
function inTextOrder<T extends ParkedRecord>(records: readonly T[]): readonly T[] {
  if (records.length < 2) return records;
  const texts = records.map((record) => ({ record, text: textOfRecord(record) }));
  return texts.sort((a, b) => compare(a.text, b.text)).map(({ record }) => record);
}
