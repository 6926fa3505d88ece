import { busContract } from './kafka-contract.ts';
import { memoryBroker } from './memory-broker.ts';

const { bus } = memoryBroker();
busContract(() => bus);
