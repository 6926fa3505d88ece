import { afterAll, beforeAll, expect, it } from 'vitest';
import { topicName } from '../../src/pipelines/topics.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { freshFolder } from '../folder.ts';
import { halves, watched } from '../server/monitor/on-topics.ts';
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
