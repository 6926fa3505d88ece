import type { KafkaBus } from '../../src/sources/kafka-bus.ts';

/** A client whose consumers commit a record when it comes, not when it is done: what crashes then is lost. */
export function commitsOnArrival(bus: KafkaBus): KafkaBus {
  return {
    ...bus,
    consumer(groupId) {
      const consumer = bus.consumer(groupId);
      if (groupId === undefined) return consumer;
      const run: typeof consumer.run = ({ eachBatch, ...config } = {}) =>
        consumer.run({
          ...config,
          eachBatch: async (payload) => {
            const { topic, partition } = payload.batch;
            const resolveOffset = (offset: string): void => {
              payload.resolveOffset(offset);
              const point = { topic, partition, offset: String(Number(offset) + 1) };
              consumer.commitOffsets([point]).catch(() => {}); // it is broken on purpose
            };
            await eachBatch?.({ ...payload, resolveOffset });
          },
        });
      return { ...consumer, run, commitOffsets: async () => {} };
    },
  };
}
