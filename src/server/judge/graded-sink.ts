import type { Sink } from '../../core/to-sink.ts';
import type { Graded } from '../../judges/apply-verdict.ts';
import { evaluateStages } from '../../pipelines/evaluate.ts';
import { rowIdentity } from '../../pipelines/row-identity.ts';
import { schemaMajor, topicName } from '../../pipelines/topics.ts';
import { kafkaSink } from '../../sinks/kafka.ts';
import type { KafkaBus } from '../../sources/kafka-bus.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import type { LiveBoard } from '../live-board.ts';

/** Show every verdict on the page of this server: the verdict stream in memory. */
export const boardSink = (live: LiveBoard): Sink<Graded> => ({
  write: async (rows) => rows.forEach(live.row),
  close: async () => {},
});

/**
 * Write verdicts to the topics that `evaluate` writes: graded rows, verdicts, markers.
 *
 * @throws TM_SOURCE - the topics cannot be made
 */
export async function gradedTopics(bus: KafkaBus, prefix: string, partitions = 12): Promise<Sink<Graded>> {
  const [stage] = evaluateStages({}, { judge: () => 0 }); // for its kinds alone
  const views = stage?.views ?? [];
  const kinds = ['graded', ...views.map(({ to }) => to)];
  await ensureTopics(
    kinds.map((kind) => ({ name: topicName(prefix, kind), partitions })),
    bus,
  );
  const sinkOf = <Row>(kind: string, key: (row: Row) => string, id: (row: Row) => string): Sink<Row> => {
    const schema = `${kind}/${schemaMajor}`;
    return kafkaSink<Row>(
      { topic: topicName(prefix, kind) },
      { producer: bus.producer, key, id, stage: 'judge', schema },
    );
  };
  const graded = sinkOf<Graded>('graded', rowIdentity.key, rowIdentity.id);
  const sides = views.map((view) => ({ view, sink: sinkOf<never>(view.to, view.key, view.id) }));
  return {
    async write(rows) {
      await graded.write(rows);
      for (const { view, sink } of sides) await sink.write(rows.flatMap((row) => [...view.rows(row as never)]));
    },
    close: async () => void (await Promise.all([graded, ...sides.map(({ sink }) => sink)].map((sink) => sink.close()))),
  };
}
