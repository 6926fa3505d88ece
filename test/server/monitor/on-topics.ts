import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { trainingEvals } from '../../../bench/monitor-runs.ts';
import { topicName } from '../../../src/pipelines/topics.ts';
import { openServer } from '../../../src/server/open-server.ts';
import type { KafkaBus } from '../../../src/sources/kafka-bus.ts';

/** Evaluations of a run that is hacked from the fifth on, in two halves. */
const evals = [...trainingEvals(3, { asks: 32, k: 4, evals: 16, hackedFrom: 5 })];
export const halves = [evals.slice(0, 7), evals.slice(7)] as const;

/** Write events to `<prefix>.scored.v1` as a trainer does, with one record that is no event. */
export async function tell(bus: KafkaBus, prefix: string, events: readonly object[]): Promise<void> {
  const producer = bus.producer();
  await producer.connect();
  const values = [...events.map((event) => JSON.stringify({ ...event, run_id: 'grpo-7' })), '{"type":"eval"}'];
  const messages = values.map((value) => ({ key: 'grpo-7', value }));
  await producer.send({ topic: topicName(prefix, 'scored'), messages, acks: -1 });
  await producer.disconnect();
}

/** A server that watches the topics until it knows so many evaluations: what its monitor knows then. */
export async function watched(
  bus: KafkaBus,
  prefix: string,
  folder: string,
  evaluations: number,
  told: readonly object[],
) {
  const server = await openServer({
    data: join(folder, 'data'),
    token: 'secret',
    bus,
    prefixes: [prefix],
    partitions: 2,
  });
  await tell(bus, prefix, told);
  const look = async () => {
    const headers = { authorization: 'Bearer secret', host: '127.0.0.1' };
    const answer = await server.app.request('http://127.0.0.1/v1/monitor/grpo-7', { headers });
    return (answer.ok ? await answer.json() : { history: [], alarms: [] }) as {
      history: readonly { step: number }[];
      alarms: readonly { kind: string; step: number }[];
    };
  };
  while ((await look()).history.length < evaluations) await sleep(50);
  const known = await look();
  await server.close();
  return known;
}
