import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { pipelineNamed } from '../../src/pipelines/registry.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { freshFolder } from '../folder.ts';
import { halves, tell, watched } from '../server/monitor/on-topics.ts';
import { type Broker, startBroker } from './broker.ts';
import { readAll } from './topic-reader.ts';

let broker: Broker;
beforeAll(async () => {
  broker = await startBroker();
}, 180_000);
afterAll(() => broker.stop(), 60_000);

it('a server watches training runs by a topic of a real broker, and goes on after a restart', async () => {
  const bus = kafkaBus({ brokers: [broker.address], sessionTimeoutMs: 6000 });
  const folder = await freshFolder();
  const [early, late] = halves;
  await watched(bus, 'live', folder, early.length, early);
  const known = await watched(bus, 'live', folder, early.length + late.length, late);
  expect(known.alarms.map(({ kind }) => kind)).toContain('divergence');
  expect(known.history.map(({ step }) => step)).toEqual(halves.flat().map(({ step }) => step));
  const told = await readAll(bus, topicName('live', 'alarms'));
  expect(told.map(({ value }) => JSON.parse(String(value)).kind)).toEqual(known.alarms.map(({ kind }) => kind));
  const letters = await readAll(bus, `${topicName('live', 'scored')}.dlq`);
  expect(letters.map(({ headers }) => String(headers['dlq.reason']))).toEqual(['invalid_row', 'invalid_row']);
}, 120_000);

it('the pipeline says of a run what the server says of it, and goes on after a restart, too', async () => {
  const bus = kafkaBus({ brokers: [broker.address], sessionTimeoutMs: 6000 });
  const opened = () => pipelineNamed('hack-monitor').open({}).stages;
  await ensureTopics(topicsOf(opened(), 'piped', 2), bus);
  const server = await watched(bus, 'alone', await freshFolder(), halves.flat().length, halves.flat());
  let evaluations = 0;
  for (const half of halves) {
    const stop = new AbortController();
    const running = lastValueFrom(onKafka(opened(), { bus, prefix: 'piped', stop: stop.signal }), {
      defaultValue: undefined,
    });
    await tell(bus, 'piped', half);
    evaluations += half.length;
    while ((await readAll(bus, topicName('piped', 'history'))).length < evaluations)
      await new Promise((resolve) => setTimeout(resolve, 200));
    stop.abort();
    await running;
  }
  const known = async (prefix: string, kind: string) =>
    (await readAll(bus, topicName(prefix, kind))).map(({ headers, value }) => [
      String(headers['tm-id']),
      JSON.parse(String(value)),
    ]);
  expect(await known('piped', 'history')).toEqual(await known('alone', 'history'));
  const raised = await known('piped', 'alarms');
  expect(raised.map(([, { kind }]) => kind)).toContain('divergence');
  expect(raised).toHaveLength(server.alarms.length);
}, 180_000);
