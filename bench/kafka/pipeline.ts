import { lastValueFrom } from 'rxjs';
import { createCounters } from '../../src/core/counters.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { topicName } from '../../src/pipelines/topics.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { printFigures } from '../stream/figures.ts';
import { stages } from './stages.ts';
import { untilHolds } from './until.ts';

/** All stages in this process, until the last topic holds every row. */
const [broker = '', prefix = '', rows = '0'] = process.argv.slice(2);
const bus = kafkaBus({ brokers: [broker] });
const stop = new AbortController();
const { hooks, snapshot } = createCounters();
const startMs = performance.now();
const done = lastValueFrom(onKafka(stages, { bus, prefix, stop: stop.signal, hooks, maxInFlight: 2000 }), {
  defaultValue: undefined,
});
await Promise.race([untilHolds(bus, topicName(prefix, 'selected'), Number(rows)), done]);
const work_s = Number(((performance.now() - startMs) / 1000).toFixed(2));
stop.abort();
await done;
const rejected = snapshot().flatMap(({ rejected: reasons }) => Object.keys(reasons));
printFigures({ work_s, ...(rejected.length > 0 && { rejected }) });
process.exit(); // the client keeps idle connections
