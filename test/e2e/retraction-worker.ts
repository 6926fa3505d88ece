import { lastValueFrom } from 'rxjs';
import { evaluationStages } from '../../src/pipelines/evaluation-stages.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { trainingParts } from '../../src/sinks/training-parts.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';

/** One worker process: guard rows against an evaluation that grows, and write the set, until SIGTERM. Arguments: broker, prefix, folder. */
const [broker = '', prefix = '', folder = ''] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const parts = () => trainingParts({ folder, partRows: 40, waitMs: 200 });
try {
  const run = onKafka(evaluationStages('topic'), {
    bus: kafkaBus({ brokers: [broker], sessionTimeoutMs: 6000 }),
    prefix,
    stop: stop.signal,
    sinks: { clean: parts(), retractions: parts() },
  });
  await lastValueFrom(run, { defaultValue: undefined });
} catch (error) {
  process.stderr.write(`${String(error)} ${String((error as Error).cause)}\n`);
  process.exitCode = 3;
}
setTimeout(() => process.exit(), 2000).unref();
