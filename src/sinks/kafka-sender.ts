import kafkajs, { type Message, type Producer, type ProducerRecord } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';
import type { RecordHeaders } from '../core/record.ts';

/** The part of the client that we use: a test gives a fake, and another client needs these calls only. */
export type ProducerPort = Pick<Producer, 'connect' | 'send' | 'disconnect'>;

/** A record to be written. */
export interface Outgoing {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: RecordHeaders;
}

/** What a record costs besides its key, value and headers (measured), and what a header costs besides its bytes. */
const recordBytes = 70;
const headerBytes = 10;

/** The size of a record as it is sent, not packed. Never too small. */
export function sizeOf({ key, value, headers }: Outgoing): number {
  let bytes = recordBytes + lengthOf(key) + lengthOf(value);
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value ?? ''])
      bytes += headerBytes + lengthOf(name) + lengthOf(one);
  return bytes;
}

const lengthOf = (bytes: string | Buffer | null): number =>
  bytes === null ? 0 : typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;

interface Sending {
  /** Makes an idempotent producer: a new one is needed after every rejected send. */
  readonly producer: () => ProducerPort;
  /** Encoded size of one send. The client makes one batch of it for each partition, and the broker's limit is for a batch. */
  readonly maxSendBytes: number;
}

/**
 * Send records in their order, cut by size, so that no batch is refused for what it is put together with. A record larger
 * than `maxSendBytes` goes alone.
 *
 * The client rolls sequence numbers back after a rejected send, also of what the broker has stored: the next record of that
 * producer could be dropped as a repeat and reported as stored. So a producer is thrown away after any rejection.
 */
export function createSender({ producer, maxSendBytes }: Sending) {
  let current: ProducerPort | undefined;
  const send = async (sending: ProducerRecord): Promise<void> => {
    try {
      if (!current) {
        const made = producer();
        current = made;
        await made.connect();
      }
      await current.send(sending);
    } catch (cause) {
      const broken = current;
      current = undefined;
      await broken?.disconnect().catch(() => {}); // it is thrown away
      const { type = 'unknown' } = cause as { readonly type?: string };
      const reason = type === 'MESSAGE_TOO_LARGE' ? 'too_large' : 'sink';
      throw new TracemillError('TM_SINK', `topic ${sending.topic}: ${String(cause)}`, {
        cause,
        retriable: isRetriable(cause),
        reason,
      });
    }
  };
  const sendWaiting = async (): Promise<void> => {
    const records = waiting;
    waiting = [];
    next = undefined;
    for (const sending of cut(records, maxSendBytes)) await send(sending);
  };
  let waiting: Outgoing[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  return {
    /** One send at a time: who comes meanwhile must not meet a producer that is not connected yet, or thrown away. */
    send(records: readonly Outgoing[]): Promise<void> {
      waiting.push(...records);
      if (!next) {
        next = last.then(sendWaiting);
        last = next.catch(() => {}); // told to who asked for it
      }
      return next;
    },
    close: async (): Promise<void> => current?.disconnect(),
  };
}

/** What is sent at once: records of one topic, one after the other, no more bytes than the limit. */
export function* cut(records: readonly Outgoing[], maxBytes: number): Generator<ProducerRecord> {
  let messages: Message[] = [];
  let bytes = 0;
  let topic = '';
  const sending = (): ProducerRecord => ({ topic, messages, acks: -1, compression: kafkajs.CompressionTypes.GZIP });
  for (const record of records) {
    const size = sizeOf(record);
    if (messages.length > 0 && (record.topic !== topic || bytes + size > maxBytes)) {
      yield sending();
      messages = [];
      bytes = 0;
    }
    topic = record.topic;
    const { key, value, headers } = record;
    messages.push({ key, value, headers: { ...headers } });
    bytes += size;
  }
  if (messages.length > 0) yield sending();
}

export function isRetriable(cause: unknown): boolean {
  const { retriable, name } = cause as { readonly retriable?: boolean; readonly name?: string };
  return retriable === true || name === 'KafkaJSNumberOfRetriesExceeded';
}
