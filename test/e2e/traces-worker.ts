import { lastValueFrom } from 'rxjs';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { traceStages } from '../../src/pipelines/traces.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { traceOptions } from './traces-scene.ts';

/** One worker process: every stage from bytes to traces, until SIGTERM. Arguments: broker, prefix. */
const [broker = '', prefix = ''] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const bus = kafkaBus({ brokers: [broker], sessionTimeoutMs: 6000 });
try {
  await lastValueFrom(onKafka(traceStages(traceOptions), { bus, prefix, stop: stop.signal, maxInFlight: 64 }), {
    defaultValue: undefined,
  });
} catch (error) {
  process.stderr.write(`${String(error)} ${String((error as Error).cause)}\n`);
  process.exitCode = 3;
}
setTimeout(() => process.exit(), 2000).unref();
