import type { Observable } from 'rxjs';
import type { Hooks } from '../core/operator.ts';
import { run } from '../core/run.ts';
import type { Source } from '../core/source.ts';
import type { OtlpRecord } from '../dialects/otlp/decoded-log.ts';
import { dropOversized } from '../operators/drop-oversized.ts';
import { kafkaDeadLetters } from '../sinks/kafka-dead-letters.ts';
import { otlpTopicSink } from '../sinks/otlp-topic.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { cleanedRejection } from './cleaned-rejection.ts';
import { topicName } from './topics.ts';

interface ListeningIntoKafka {
  readonly bus: KafkaBus;
  readonly prefix: string;
  readonly source: Source<OtlpRecord>;
  /** What must not stand in a dead letter in clear. */
  readonly clean: (row: unknown) => unknown;
  readonly hooks?: Hooks;
}

/** Write what a receiver takes to the topic that the pipeline `traces` reads, `<prefix>.spans.v1`. What it refuses goes beside it. */
export function listenIntoKafka({ bus, prefix, source, clean, hooks }: ListeningIntoKafka): Observable<never> {
  const topic = topicName(prefix, 'spans');
  const { producer } = bus;
  const letters = kafkaDeadLetters({ topic }, { producer });
  return run<OtlpRecord, OtlpRecord>({
    source,
    operator: dropOversized({}),
    sink: otlpTopicSink({ topic }, { producer }),
    rejected: { ...letters, write: (said) => letters.write(said.map((one) => cleanedRejection(one, clean))) },
    maxInFlight: 4096,
    ...(hooks && { hooks }),
  });
}
