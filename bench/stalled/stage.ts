import { createCounters } from '../../src/core/counters.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { scene } from '../../test/e2e/scene.ts';

/** The first stage of the scene with a sink that takes the first batch and never says so. Arguments: broker, prefix. */
const [broker = '', prefix = ''] = process.argv.slice(2);
const bus = kafkaBus({ brokers: [broker] });
const stalled = () => ({ ...bus.producer(), connect: async () => {}, send: () => new Promise<never>(() => {}) });
const { hooks, snapshot } = createCounters();
onKafka(scene({ ask: async () => 1 }), {
  bus: { ...bus, producer: stalled },
  prefix,
  hooks,
  only: ['judge'],
}).subscribe();

process.on('message', () => {
  const source = snapshot().find(({ operator }) => operator === 'source');
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send?.({ peakMb, lag: source?.gauges?.['lag'] ?? 0, read: source?.in ?? 0 });
});
