import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { Row } from '../../rows/row.ts';
import { fieldsOf, type JsonObject, written } from '../fields.ts';
import { nanoseconds } from './nanoseconds.ts';
import { conversationIn, groupSpans, type SpanGroup } from './span-group.ts';
import { type SpanRow, spanRow } from './span-row.ts';
import { type SpanEvent, type SpanView, spanView, withEvents } from './span-view.ts';

/** A span, or a log record, as it was decoded. */
export type SpanRecord = JsonObject;

/** What is told of a session. */
interface Telling {
  /** How many of the records, from the first, were told before. */
  readonly told?: number;
  /** The session goes by the name of one that is forgotten. */
  readonly isLate?: boolean;
}

/**
 * Tell the records of a session as rows, one for each conversation in it: the same rows in whatever order the records came.
 * `revision` counts the records a row is made of, so that a fuller row has a higher one, and the same records the same.
 * `span_counts` says what is missing. Rows told before under a name that the conversation no longer has are retracted.
 *
 * @source house rule
 */
export function sessionRows(records: readonly SpanRecord[], { told = 0, isLate = false }: Telling = {}): Row[] {
  const rows = rowsOf(records, isLate);
  if (told === 0 || told === records.length) return rows;
  const names = new Set(rows.map(({ rollout_id }) => rollout_id));
  const gone = rowsOf(records.slice(0, told), isLate).filter(({ rollout_id }) => !names.has(rollout_id));
  return [...rows, ...gone.map((row) => retraction(row, rows))];
}

function rowsOf(records: readonly SpanRecord[], isLate: boolean): Row[] {
  const pieces = piecesOf(records);
  const views = pieces.map(({ view, events }, order) => withEvents({ ...view, order }, events));
  const known = new Set(pieces.flatMap(({ id, isThere }) => (isThere ? [id] : [])));
  return groupSpans(views, 'conversation').flatMap((group): Row[] => {
    const said = spanRow(group, false);
    if (!said.hasContent) return [];
    const own = group.spans.flatMap(({ order }) => pieces[order] ?? []);
    const key = group.key ?? own[0]?.id ?? '';
    const first = own.map(({ id }) => id).sort()[0];
    return [
      {
        ...said.row,
        rollout_id: hex12(isLate ? JSON.stringify([key, first]) : key),
        revision: own.reduce((sum, piece) => sum + piece.records, 0),
        span_counts: countsOf(group, said, own, known),
        ...(isLate && { is_late: true, part_of: hex12(key) }),
      } as Row,
    ];
  });
}

/** What a reader of the row has to know of what it was made of; what is 0 is left out, but for spans and orphans. */
function countsOf(
  { spans }: SpanGroup,
  { row, usageMissing }: SpanRow,
  pieces: readonly Piece[],
  known: ReadonlySet<string>,
): JsonObject {
  const orphans = spans.filter(({ parentId, traceId }) => parentId !== '' && !known.has(`${traceId}/${parentId}`));
  const calls = (row['steps'] as readonly JsonObject[]).filter(
    ({ tool, result }) => tool !== undefined && result === null,
  );
  const counts = {
    unanswered_calls: calls.length,
    missing_tokens: usageMissing,
    missing_spans: pieces.filter(({ isThere, view }) => !isThere && view.spanId !== '').length,
    cut_by_sender: pieces.filter(({ isCut }) => isCut).length,
  };
  return {
    spans: pieces.filter(({ isThere }) => isThere).length,
    orphans: orphans.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  };
}

function retraction({ rollout_id, conversation_id, revision }: Row, rows: readonly Row[]): Row {
  const by = rows.map((row) => row.rollout_id);
  return {
    schema_version: '1',
    ...{ prompt: '', steps: [], final_text: '' },
    ...{ rollout_id, conversation_id, revision: Number(revision) + 1 },
    ...{ retracted: true, superseded_by: by },
  } as Row;
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
  const spans = [...versions].map(([id, all]) => pieceOf(id, all, logs.get(id) ?? []));
  const alone = [...logs].flatMap(([id, all]) => (versions.has(id) ? [] : [pieceOf(id, [], all)]));
  return [...spans, ...alone].sort(
    (a, b) =>
      compare(a.view.start ?? 0n, b.view.start ?? 0n) ||
      compare(b.view.end ?? 0n, a.view.end ?? 0n) ||
      compare(a.id, b.id),
  );
}

function pieceOf(id: string, versions: readonly SpanRecord[], logs: readonly SpanRecord[]): Piece {
  const said = logs.length > 1 ? logs.toSorted(byText) : logs;
  return {
    id,
    view: versions.length === 0 ? standIn(said[0] ?? {}) : fullest(versions),
    events: said.map(eventOfLog),
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
  const [first = spanView({}, 0), ...others] = ordered.map((one) => spanView(one, 0));
  return others.reduce((most, one) => (weight(one) >= weight(most) ? one : most), first);
}
const weight = ({ attributes, events }: SpanView) => Object.keys(attributes).length + events.length;

/** The span that log records name and that is not there. */
function standIn(log: SpanRecord): SpanView {
  const { time } = eventOfLog(log);
  const key = conversationIn(fieldsOf(log['attributes']));
  const { trace_id, span_id } = log;
  return {
    ...spanView({ trace_id, span_id, attributes: key === undefined ? {} : { 'gen_ai.conversation.id': key } }, 0),
    ...{ start: time, end: time },
  };
}

/** A log record that was decoded, as an event of its span. */
function eventOfLog({ event_name, time_unix_nano, attributes, body }: SpanRecord): SpanEvent {
  const name = written(event_name ?? '');
  return { name, time: nanoseconds(time_unix_nano), attributes: fieldsOf(attributes), body: body ?? undefined };
}

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

/** Whether two records say the same, whatever the order of their fields. */
export const isSameRecord = (one: SpanRecord, other: SpanRecord): boolean =>
  canonicalJson(one) === canonicalJson(other);

const textId = (record: SpanRecord): string => `#${hex12(canonicalJson(record))}`;
const hex12 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
