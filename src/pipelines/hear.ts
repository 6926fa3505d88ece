import { jsonIn } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';
import type { Rejection } from '../core/operator.ts';
import type { AnyStage } from '../core/stage.ts';
import type { Sink } from '../core/to-sink.ts';
import type { Row } from '../rows/row.ts';
import { deadLetterTopic } from '../sinks/kafka-dead-letters.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { followTopic } from '../sources/kafka-follow.ts';
import type { Feedback } from './pipeline.ts';
import { topicName } from './topics.ts';

/**
 * Tell a source what its topics say of its rows, from their first record on: dead letters of every stage, then the rows that
 * answer. Resolves when all is told that was there at the call; it goes on telling until it is closed.
 *
 * @throws TM_SOURCE - a topic cannot be read
 */
export async function hear(feedback: Feedback, stages: readonly AnyStage[], prefix: string, bus: KafkaBus) {
  const follow = (topic: string, tell: (row: Row) => void) =>
    followTopic(topic, (message) => told(message, tell), { consumer: bus.consumer(), admin: bus.admin() });
  const letters = [...new Set(stages.map(({ from }) => deadLetterTopic(topicName(prefix, from))))];
  const all = [
    ...letters.map((topic) => follow(topic, (row) => feedback.lost(row))),
    follow(topicName(prefix, feedback.kind), (row) => feedback.answered(row)),
  ];
  const close = async (): Promise<void> => void (await Promise.allSettled(all.map((one) => one.close())));
  try {
    for (const one of all) await one.caughtUp(); // a rollout that was given up stays so, whatever was played after it
  } catch (error) {
    await close();
    throw error;
  }
  return { close, ended: Promise.race(all.map(({ ended }) => ended)) };
}

/** What is no JSON is nobody's answer: whoever reads it next says so. */
function told({ value }: { readonly value: Buffer | null }, tell: (row: Row) => void): void {
  const row = jsonIn(value?.toString('utf8') ?? 'null');
  if (isObject(row)) tell(row as Row);
}

/** The same in one process: rows are told when their sink has them, rejections when theirs has. */
export function heardSinks(
  { kind, answered, lost }: Feedback,
  sinks: Readonly<Record<string, Sink<never>>>,
  rejected: Sink<Rejection<unknown>>,
) {
  const own = sinks[kind] as Sink<Row> | undefined;
  const telling = <One>(sink: Sink<One>, tell: (row: One) => void): Sink<One> => ({
    ...sink,
    async write(rows, origins) {
      await sink.write(rows, origins);
      for (const row of rows) tell(row);
    },
  });
  return {
    sinks: { ...sinks, ...(own && { [kind]: telling(own, answered) as Sink<never> }) },
    rejected: telling(rejected, ({ row }) => lost(row)),
  };
}
