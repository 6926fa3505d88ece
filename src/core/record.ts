import type { Origin } from './receipt.ts';

/** Headers of a record. A name may be repeated. */
export type RecordHeaders = Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;

/** A record as it lies in a log such as Kafka's: bytes that nobody has changed. */
export interface LogRecord extends Origin {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Milliseconds since 1970, as digits. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  /** Null says that what has this key is gone. */
  readonly value: Buffer | null;
  readonly headers: RecordHeaders;
}

/** Tell a record of a log from the places that other sources name. */
export function isLogRecord(origin: Origin): origin is LogRecord {
  return typeof origin['topic'] === 'string' && typeof origin['offset'] === 'string' && 'headers' in origin;
}

/** Read a header as text; the first where a name is repeated. */
export function headerText(headers: RecordHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? undefined : String(first);
}

const membersHeader = 'tm-members';
const gatheredHeader = 'tm-gathered-from';

/** The headers that name the rows which a group gathered, and the topic that they lay on. */
export const membersHeaders = (ids: readonly string[], topic: string | undefined): RecordHeaders => ({
  [membersHeader]: JSON.stringify(ids),
  ...(topic !== undefined && { [gatheredHeader]: topic }),
});

/** The topic whose rows a group gathered; undefined for other records. */
export const gatheredFrom = (headers: RecordHeaders): string | undefined => headerText(headers, gatheredHeader);

/** The ids of the rows which a group gathered; none for other records, and for a header that somebody else wrote. */
export function membersOf(headers: RecordHeaders): readonly string[] {
  try {
    const ids: unknown = JSON.parse(headerText(headers, membersHeader) ?? '[]');
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}
