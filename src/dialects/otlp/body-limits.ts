import { fieldsOf, type JsonObject, listOf } from '../fields.ts';

/** How much one body may hold: a few bytes that are sent can be a hundred bytes of objects. What is absent is not bound. */
export interface BodyLimits {
  /** Most spans, or log records, and as many resources and scopes together. */
  readonly maxSpans?: number | undefined;
  /** Most events and links of all its spans together. */
  readonly maxEvents?: number | undefined;
  /** Most attributes and items of lists, with the spans and events that they stand in. */
  readonly maxValues?: number | undefined;
}

/** A body holds more than it may. */
export class TooMany extends RangeError {
  constructor(limit: number, what: string) {
    super(`more than ${limit} ${what} in a request`);
  }
}

/**
 * Counts what a body holds while it is gone over, before anything is made of it.
 *
 * @throws TooMany - at the first that is one too many
 */
export class BodyTally {
  readonly #limits: BodyLimits;
  #spans = 0;
  #groups = 0;
  #events = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Count spans, or log records. */
  spans(n = 1): void {
    const { maxSpans = Number.POSITIVE_INFINITY } = this.#limits;
    this.#spans += n;
    if (this.#spans > maxSpans) throw new TooMany(maxSpans, 'spans or log records');
  }

  /** Count resources and scopes. */
  groups(n = 1): void {
    const { maxSpans = Number.POSITIVE_INFINITY } = this.#limits;
    this.#groups += n;
    if (this.#groups > maxSpans) throw new TooMany(maxSpans, 'resources and scopes');
  }

  /** Count events and links. */
  events(n = 1): void {
    const { maxEvents = Number.POSITIVE_INFINITY } = this.#limits;
    this.#events += n;
    if (this.#events > maxEvents) throw new TooMany(maxEvents, 'events and links');
  }
}

/** Count what an OTLP/JSON body holds. @throws TooMany - it is more than the body may hold */
export function countJson(body: JsonObject, limits: BodyLimits): void {
  const tally = new BodyTally(limits);
  for (const [senders, scopes, records] of shapes)
    for (const sender of counted(body[senders], tally))
      for (const scope of counted(fieldsOf(sender)[scopes], tally)) {
        const list = listOf(fieldsOf(scope)[records]);
        tally.spans(list.length);
        for (const { events, links } of list.map(fieldsOf)) tally.events(listOf(events).length + listOf(links).length);
      }
}

const shapes = [
  ['resourceSpans', 'scopeSpans', 'spans'],
  ['resourceLogs', 'scopeLogs', 'logRecords'],
] as const;

function counted(value: unknown, tally: BodyTally): readonly unknown[] {
  const list = listOf(value);
  tally.groups(list.length);
  return list;
}

/** An attribute in JSON is two objects of two members. */
const tokensPerValue = 4;
const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Bound the values of a JSON text before it is parsed: each begins behind a bracket or a comma, and takes more memory than
 * these. Looks only at texts that are long enough to hold so many.
 *
 * @throws TooMany - it has more than four for each of `maxValues`
 */
export function boundJson(bytes: Uint8Array, { maxValues = Number.POSITIVE_INFINITY }: BodyLimits): void {
  const most = maxValues * tokensPerValue;
  if (bytes.byteLength <= most) return;
  let tokens = 0;
  for (let at = 0; at < bytes.byteLength; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma || byte === brace || byte === bracket) {
      tokens++;
      if (tokens > most) throw new TooMany(maxValues, 'values');
    }
  }
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.byteLength && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
