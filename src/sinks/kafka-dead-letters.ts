import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stringifyJson } from '../core/json.ts';
import { parseOptions, type Rejection } from '../core/operator.ts';
import { headerText, isLogRecord, type LogRecord, type RecordHeaders } from '../core/record.ts';
import type { Sink } from '../core/to-sink.ts';
import { redactor } from '../text/redact.ts';
import { withoutKeys } from './kafka-answer-keys.ts';
import { createSender, type Outgoing, type ProducerPort, sizeOf } from './kafka-sender.ts';

const options = z.strictObject({
  topic: z
    .string()
    .min(1)
    .describe('Topic of the letters whose record is not known; the others go beside their own topic.'),
  maxRecordBytes: z.int().min(1).default(8_000_000).describe('A larger record is cut to its first bytes.'),
  keepBytes: z.int().min(0).default(65_536).describe('Bytes kept of a record that is cut.'),
  maxSendBytes: z.int().min(1).default(900_000).describe('Encoded size of one send.'),
});

const maxErrorChars = 1000;

/** The topic of the dead letters of a topic. */
export const deadLetterTopic = (topic: string) => (topic.endsWith('.dlq') ? topic : `${topic}.dlq`);

/** Make the dead letters of rejected rows. */
export function deadLetters(config: z.input<typeof options>) {
  const { topic, maxRecordBytes, keepBytes } = parseOptions('kafka', options, config);
  const redact = redactor({ salt: randomUUID() });
  const lettersOf = (said: Rejection<unknown>): Outgoing[] => {
    const records = (said.origins ?? []).filter(isLogRecord);
    const message = redact((said.error ?? '').slice(0, 4 * maxErrorChars)).value.slice(0, maxErrorChars);
    if (records.length === 0) return [rowLetter(topic, said, message)];
    return records.map((record) => (said.isPart ? partLetter : recordLetter)(record, said, message));
  };
  return (said: Rejection<unknown>): Outgoing[] =>
    lettersOf(said).map((letter) => (sizeOf(letter) > maxRecordBytes ? head(letter, keepBytes) : letter));
}

/**
 * Write rejected rows to `<topic>.dlq`: key, value and headers of the record as they came, byte for byte, and besides
 * `dlq.topic`, `dlq.partition`, `dlq.offset`, `dlq.timestamp`, `dlq.stage`, `dlq.operator`, `dlq.reason`, `dlq.error_class`,
 * `dlq.error_message` (1000 characters, secrets taken out), `dlq.attempts`. A group has one letter for each of its records. Of a record that is
 * rejected in part the letter holds that part alone, as JSON, and says so in `dlq.part`.
 *
 * @throws TM_SINK - retriable when the broker is away or moving: what is not written here is not committed
 */
export function kafkaDeadLetters(
  config: z.input<typeof options>,
  { producer }: { readonly producer: () => ProducerPort },
): Sink<Rejection<unknown>> {
  const { maxSendBytes } = parseOptions('kafka', options, config);
  const sender = createSender({ producer, maxSendBytes });
  const lettersOf = deadLetters(config);
  return {
    write: (rejections) => sender.send(inTopicOrder(rejections.flatMap(lettersOf))),
    close: sender.close,
  };
}

/** Records of one topic behind each other, so that they go together. */
export const inTopicOrder = (records: readonly Outgoing[]): Outgoing[] =>
  records.toSorted((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : 0));

function recordLetter(record: LogRecord, said: Rejection<unknown>, message: string): Outgoing {
  const { topic, key, value, headers } = record;
  return {
    topic: deadLetterTopic(topic),
    key,
    value,
    headers: { ...headers, ...whereOf(record), ...whyOf(said, message) },
  };
}

/** A part of a record, as the operator that rejected it wants it stored: the rest of the record is none of its business. */
function partLetter(record: LogRecord, said: Rejection<unknown>, message: string): Outgoing {
  const letter = rowLetter(record.topic, said, message);
  return { ...letter, headers: { ...whereOf(record), ...letter.headers, 'dlq.part': 'true' } };
}

const whereOf = ({ topic, partition, offset, timestamp, headers }: LogRecord): RecordHeaders => ({
  'dlq.topic': topic,
  'dlq.partition': String(partition),
  'dlq.offset': offset,
  'dlq.timestamp': timestamp,
  'dlq.attempts': headerText(headers, 'tm-attempt') ?? '1',
});

/** A row whose record nobody knows: as JSON. */
function rowLetter(topic: string, said: Rejection<unknown>, message: string): Outgoing {
  const value = typeof said.row === 'string' ? said.row : stringifyJson(withoutKeys(said.row ?? null).open);
  return { topic: deadLetterTopic(topic), key: null, value, headers: whyOf(said, message) };
}

function whyOf({ by, reason, stage = '', error = '' }: Rejection<unknown>, message: string): RecordHeaders {
  const [kind = ''] = /^[A-Za-z]*(?:Error|Exception)\b/.exec(error) ?? [];
  return {
    'dlq.stage': stage,
    'dlq.operator': by,
    'dlq.reason': reason,
    'dlq.error_class': kind || reason,
    'dlq.error_message': message,
  };
}

/** The first bytes of a letter that is too large for its topic. */
function head(letter: Outgoing, keepBytes: number): Outgoing {
  const value = Buffer.from(letter.value ?? '');
  const cut = { 'dlq.truncated': 'true', 'dlq.bytes': String(value.length) };
  return { ...letter, value: value.subarray(0, keepBytes), headers: { ...letter.headers, ...cut } };
}
