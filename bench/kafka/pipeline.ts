import { lastValueFrom } from 'rxjs';
import { createCounters } from '../../src/core/counters.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { topicName } from '../../src/pipelines/topics.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { caughtUp } from '../../src/sources/kafka-lag.ts';
import { printFigures } from '../stream/figures.ts';
import { stages } from './stages.ts';

/** All stages in this process, until each has stored all that it was given: the last topic then holds every row. */
const [broker = '', prefix = '', mode = ''] = process.argv.slice(2);
const bus = kafkaBus({ brokers: [broker] });
const stop = new AbortController();
const { hooks, snapshot } = createCounters();
const startMs = performance.now();
const settings = { bus, prefix, stop: stop.signal, hooks, maxInFlight: 2000, transactional: mode === 'transactional' };
const done = lastValueFrom(onKafka(stages, settings), { defaultValue: undefined });
const admin = bus.admin();
await admin.connect();
for (const { name, from } of stages)
  await Promise.race([caughtUp(admin, `${prefix}.${name}`, topicName(prefix, from), stop.signal), done]);
const work_s = Number(((performance.now() - startMs) / 1000).toFixed(2));
await admin.disconnect();
stop.abort();
await done;
const rejected = snapshot().flatMap(({ rejected: reasons }) => Object.keys(reasons));
printFigures({ work_s, ...(rejected.length > 0 && { rejected }) });
process.exit(); // the client keeps idle connections
