import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { defineExpand } from '../../core/define-expand.ts';
import type { Hooks } from '../../core/operator.ts';
import { run } from '../../core/run.ts';
import { schemaMajor, topicName } from '../../pipelines/topics.ts';
import { type MonitorEvent, monitorEventSchema } from '../../rows/monitor-event.ts';
import { deadLetterTopic, kafkaDeadLetters } from '../../sinks/kafka-dead-letters.ts';
import { kafkaSource } from '../../sources/kafka.ts';
import type { KafkaBus } from '../../sources/kafka-bus.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import type { MonitorService } from './monitor-service.ts';

interface Following {
  readonly bus: KafkaBus;
  /** What the topic begins with: events are read from `<prefix>.scored.v1`. */
  readonly prefix: string;
  readonly monitors: Pick<MonitorService, 'take'>;
  readonly partitions?: number;
  readonly hooks?: Hooks;
}

/**
 * Give what trainers write to the topic `scored` to the monitors of this server, in the group `<prefix>.hack-monitor`. An
 * event is committed when its monitor has stored it, so a restart goes on behind it. What is no event becomes a dead letter.
 * Rejects by `ended` when the broker stays away.
 *
 * @throws TM_SOURCE - the topics cannot be made
 */
export async function followScored({ bus, prefix, monitors, partitions = 12, hooks }: Following) {
  const topic = topicName(prefix, 'scored');
  const group = `${prefix}.hack-monitor`;
  await ensureTopics(
    [topic, deadLetterTopic(topic)].map((name) => ({ name, partitions })),
    bus,
  );
  const stop = new AbortController();
  const watch = defineExpand({
    name: 'hack-monitor',
    options: z.strictObject({}),
    core: () => (event: MonitorEvent) => {
      monitors.take(event.run_id, event); // it tells its answers by itself
      return [] as MonitorEvent[];
    },
    example: { options: {}, in: [], out: [] },
  });
  const source = kafkaSource<MonitorEvent>(
    { topic },
    {
      consumer: bus.consumer(group),
      schema: monitorEventSchema as unknown as z.ZodType<MonitorEvent>, // its input: the monitor fills what is left out
      major: schemaMajor,
      beforeJoin: (hook) => bus.beforeJoin(group, hook),
      rebalanceTimeoutMs: bus.rebalanceTimeoutMs,
      stop: stop.signal,
    },
  );
  const ended = lastValueFrom(
    run({
      source,
      operator: watch({}),
      sink: { write: async () => {}, close: async () => {} },
      rejected: kafkaDeadLetters({ topic: deadLetterTopic(topic) }, { producer: bus.producer }),
      ...(hooks && { hooks }),
    }),
    { defaultValue: undefined },
  );
  return {
    ended,
    async close(): Promise<void> {
      stop.abort();
      await ended.catch(() => {}); // whoever waits for `ended` is told
    },
  };
}
