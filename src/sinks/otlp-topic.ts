import { z } from 'zod';
import { charactersIn } from '../core/characters-in.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import type { OtlpRecord } from '../dialects/otlp/decoded-log.ts';
import { exportsOf } from '../dialects/otlp/write-export.ts';
import { createSender, type ProducerPort } from './kafka-sender.ts';

const options = z.strictObject({
  topic: z.string().min(1).describe('Topic to write, such as `traces.spans.v1`.'),
  maxRecordChars: z
    .int()
    .min(1)
    .default(500_000)
    .describe('Characters of spans in one record; a span that has more is a record of its own.'),
});

/**
 * Write spans and log records to a topic as the Kafka exporter of a Collector does: whole exports in OTLP/JSON, without a
 * key, spans in one record and log records in another. They are written when all replicas that are in sync have them.
 *
 * @throws TM_SINK - retriable when the broker is away or moving
 */
export function otlpTopicSink(
  config: z.input<typeof options>,
  { producer }: { readonly producer: () => ProducerPort },
): Sink<OtlpRecord> {
  const { topic, maxRecordChars } = parseOptions('otlpTopic', options, config);
  const sender = createSender({ producer, maxSendBytes: 900_000 });
  const headers = { 'content-type': 'application/json' };
  return {
    async write(records) {
      const bodies = [...parts(records, maxRecordChars)].flatMap(exportsOf);
      await sender.send(bodies.map((value) => ({ topic, key: null, value, headers })));
    },
    close: sender.close,
  };
}

function* parts(records: readonly OtlpRecord[], maxChars: number): Generator<readonly OtlpRecord[]> {
  let part: OtlpRecord[] = [];
  let chars = 0;
  for (const record of records) {
    const { resource: _resource, scope: _scope, ...own } = record; // what they share is written once
    const size = charactersIn(own);
    if (part.length > 0 && chars + size > maxChars) {
      yield part;
      part = [];
      chars = 0;
    }
    part.push(record);
    chars += size;
  }
  if (part.length > 0) yield part;
}
