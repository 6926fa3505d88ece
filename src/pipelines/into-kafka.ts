import type { Observable } from 'rxjs';
import type { Hooks } from '../core/operator.ts';
import { pass } from '../core/pass.ts';
import { run } from '../core/run.ts';
import type { Source } from '../core/source.ts';
import type { Kind } from '../core/stage.ts';
import { kafkaSink } from '../sinks/kafka.ts';
import { kafkaAnswerKeySink } from '../sinks/kafka-answer-keys.ts';
import { kafkaDeadLetters } from '../sinks/kafka-dead-letters.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { answerKeyTopic, schemaMajor, topicName } from './topics.ts';

interface IntoKafka<Row> extends Pick<Kind<Row>, 'key' | 'id'> {
  readonly bus: KafkaBus;
  readonly prefix: string;
  /** Kind of the rows: they go to `<prefix>.<kind>.v1`. */
  readonly kind: string;
  readonly source: Source<Row>;
  readonly hooks?: Hooks;
}

/** Write the rows of a source to the topic of their kind, keyed, and their answer keys to a topic of their own. Completes when all are stored. */
export function intoKafka<Row>({ bus, prefix, kind, source, key, id, hooks }: IntoKafka<Row>): Observable<never> {
  const topic = topicName(prefix, kind);
  const { producer } = bus;
  const answerKeys = kafkaAnswerKeySink(answerKeyTopic(prefix), { producer });
  const sink = kafkaSink(
    { topic },
    { producer, answerKeys, key, id, stage: 'source', schema: `${kind}/${schemaMajor}` },
  );
  const rejected = kafkaDeadLetters({ topic }, { producer });
  return run<Row, Row>({ source, operator: pass(), sink, rejected, maxInFlight: 1000, ...(hooks && { hooks }) });
}
