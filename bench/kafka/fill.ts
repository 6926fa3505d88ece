import { lastValueFrom } from 'rxjs';
import { pull } from '../../src/core/source.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { topicsOf } from '../../src/pipelines/topics.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { printFigures } from '../stream/figures.ts';
import { stages } from './stages.ts';
import { asks } from './workload.ts';

/** Make the topics and write the asks of the run `prefix`. */
const [broker = '', prefix = '', rows = '0', partitions = '4'] = process.argv.slice(2);
const bus = kafkaBus({ brokers: [broker] });
await ensureTopics(topicsOf(stages, prefix, Number(partitions)), bus);
const place = { key: ({ scenario_id }: { scenario_id: string }) => scenario_id, id: () => '' };
const source = pull(asks(Number(rows)));
const id = ({ ask_id, rollout_index }: { ask_id: string; rollout_index: number }) => `${ask_id}#${rollout_index}`;
await lastValueFrom(intoKafka({ bus, prefix, kind: 'asks', source, ...place, id }), { defaultValue: undefined });
printFigures({});
process.exit(); // the client keeps idle connections
