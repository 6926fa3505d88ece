import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { createCounters } from '../core/counters.ts';
import { defineExpand } from '../core/define-expand.ts';
import { headerText, type LogRecord } from '../core/record.ts';
import { run } from '../core/run.ts';
import { deadLetterTopic, kafkaDeadLetters } from '../sinks/kafka-dead-letters.ts';
import { kafkaRecords } from '../sinks/kafka-records.ts';
import { kafkaSource } from '../sources/kafka.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { caughtUp } from '../sources/kafka-lag.ts';
import { patiently } from '../sources/kafka-patience.ts';
import { letterRecords } from './letter-records.ts';

interface Replay {
  readonly bus: KafkaBus;
  /** The topic whose dead letters are sent again, with or without `.dlq`. */
  readonly topic: string;
  /** Reasons (`dlq.reason`) of the letters to send; all by default. */
  readonly reasons?: readonly string[];
}

/** How many letters were sent again, and how many were passed over. */
export interface Replayed {
  readonly replayed: number;
  /** Of another reason, cut, a part of a record, or without a topic to go to. They are put back, for a later replay. */
  readonly passed: number;
}

/**
 * Send the dead letters of a topic to where they came from, key, value and headers as they were, with `tm-attempt` one
 * higher. Of a group that was not complete its rollouts are sent, to the topic that they were gathered from: with those that
 * were missing, sent before or after it, they make a whole one. It takes the letters that are there when it starts and that no replay has taken before, and completes.
 */
export async function replayLetters({ bus, topic, reasons }: Replay): Promise<Replayed> {
  const letters = deadLetterTopic(topic);
  const group = `${letters}.replay`;
  const stop = new AbortController();
  const { hooks, snapshot } = createCounters();
  let passed = 0;
  const chosen = (letter: LogRecord) =>
    reasons === undefined || reasons.includes(headerText(letter.headers, 'dlq.reason') ?? '');
  const resend = defineExpand({
    name: 'replay',
    options: z.strictObject({}),
    core: () => (letter: LogRecord) => {
      const records = chosen(letter) ? letterRecords(letter) : [];
      if (records.length > 0) return records;
      passed++;
      return [{ topic: letters, key: letter.key, value: letter.value, headers: letter.headers }]; // put back, behind the others
    },
    example: { options: {}, in: [], out: [] },
  });
  const admin = bus.admin();
  await admin.connect();
  const ends = new Map(
    (await patiently(() => admin.fetchTopicOffsets(letters))).map(({ partition, high }) => [partition, Number(high)]),
  );
  /** What came after the start is left where it is, letters that were put back among it: nothing is committed past it. */
  const isLater = ({ partition, offset }: LogRecord): boolean => Number(offset) >= (ends.get(partition) ?? 0);
  const source = kafkaSource<LogRecord>(
    { topic: letters, maxIds: 0 }, // a letter that was put back has the id of its first place
    {
      consumer: bus.consumer(group),
      schema: z.custom<LogRecord>(),
      decode: () => (row, receipt) => {
        if (!isLater(row)) return { row, receipt };
        receipt.park();
        return undefined;
      },
      stop: stop.signal,
    },
  );
  const rejected = kafkaDeadLetters({ topic: letters }, { producer: bus.producer });
  const sink = kafkaRecords({ producer: bus.producer });
  const whole = lastValueFrom(run({ source, operator: resend({}), sink, rejected, hooks }), {
    defaultValue: undefined,
  });
  try {
    await Promise.race([whole, caughtUp(admin, group, letters, stop.signal, ends)]);
  } finally {
    stop.abort();
    await admin.disconnect();
  }
  await whole;
  const taken = snapshot().find(({ operator }) => operator === 'replay')?.in ?? 0;
  return { replayed: taken - passed, passed };
}
