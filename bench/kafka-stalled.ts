import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CompressionTypes } from 'kafkajs';
import { draws } from '../src/core/draws.ts';
import { topicName, topicsOf } from '../src/pipelines/topics.ts';
import { kafkaBus } from '../src/sources/kafka-bus.ts';
import { ensureTopics } from '../src/sources/kafka-topics.ts';
import { startBroker } from '../test/e2e/broker.ts';
import { buildProgram } from '../test/e2e/build-program.ts';
import { scene } from '../test/e2e/scene.ts';
import { lagOf } from '../test/e2e/topic-reader.ts';

/** A stage whose sink is stalled, before a topic of `--rows` rows of 1 KB (1,000,000), half of which come while it stands: its peak memory, and its lag. */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const limitMb = 256;
const prefix = 'stalled';
const topic = topicName(prefix, 'rollouts');
const broker = await startBroker();
const bus = kafkaBus({ brokers: [broker.address] });
const producer = bus.producer();

const chance = draws('kafka-stalled');
const words = Array.from({ length: 2000 }, () => chance.int(2 ** 32).toString(36));
const texts = Array.from({ length: 1000 }, () => Array.from({ length: 130 }, () => chance.pick(words)).join(' ')); // packs to a third or less, as rows do

async function produce(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 2000) {
    const messages = Array.from({ length: Math.min(2000, to - n) }, (_, i) => {
      const row = { rollout_id: `r${n + i}`, task_id: `t${(n + i) % 5000}`, text: chance.pick(texts) };
      return { key: row.task_id, value: JSON.stringify(row), headers: { 'tm-id': row.rollout_id } };
    });
    await producer.send({ topic, messages, acks: -1, compression: CompressionTypes.GZIP });
  }
}

try {
  await ensureTopics(topicsOf(scene({ ask: async () => 1 }), prefix, 6), bus);
  await producer.connect();
  await produce(0, rows / 2);
  const stage = fork(buildProgram(new URL('stalled/stage.ts', import.meta.url)), [broker.address, prefix]);
  const ask = async () => {
    stage.send('figures');
    const [said] = (await once(stage, 'message')) as [{ readonly peakMb: number; readonly read: number }];
    return { ...said, lag: await lagOf(bus, `${prefix}.judge`, topic) };
  };
  let said = await ask();
  for (; said.read === 0; said = await ask()) await sleep(200);
  const first = said.lag;
  await produce(rows / 2, rows);
  await sleep(5000); // time to read what it should not
  const last = await ask();
  stage.kill('SIGKILL');
  process.stdout.write(
    `${JSON.stringify({ bench: 'kafka-stalled', rows, peak_rss_mb: last.peakMb, limit_mb: limitMb, rows_read: last.read, lag_at_first: first, lag_at_last: last.lag })}\n`,
  );
  if (last.peakMb >= limitMb || last.lag <= first) process.exitCode = 1;
} finally {
  await producer.disconnect().catch(() => {}); // the broker goes anyway
  await broker.stop();
}
