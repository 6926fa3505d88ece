import { afterAll, beforeAll } from 'vitest';
import { type KafkaBus, kafkaBus } from '../../src/sources/kafka-bus.ts';
import { busContract } from '../sources/kafka-contract.ts';
import { startBroker } from './broker.ts';

let broker: Awaited<ReturnType<typeof startBroker>>;
let bus: KafkaBus;
beforeAll(async () => {
  broker = await startBroker();
  bus = kafkaBus({ brokers: [broker.address], sessionTimeoutMs: 6000 });
}, 180_000);
afterAll(() => broker.stop(), 60_000);

busContract(() => bus);
