import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draw } from '../../src/core/draws.ts';
import { pull } from '../../src/core/source.ts';
import { evaluationStages } from '../../src/pipelines/evaluation-stages.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { decontaminate } from '../../src/reports/guard/decontaminate/index.ts';
import { deliveryId } from '../../src/rows/delivery-key.ts';
import type { Row } from '../../src/rows/row.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { freshFolder } from '../folder.ts';
import { idsInSet } from '../ids-in-set.ts';
import { startBroker } from './broker.ts';
import { lagOf } from './topic-reader.ts';

let broker: Awaited<ReturnType<typeof startBroker>>;
beforeAll(async () => {
  broker = await startBroker();
}, 180_000);
afterAll(() => broker.stop(), 60_000);

const subjects = ['order', 'parcel', 'invoice', 'account', 'subscription', 'voucher'];
const ask = (n: number) =>
  `Please look into ${subjects[n % 6]} number ${n} of mine, and tell me in one line why it was closed last week`;
const selected: readonly Row[] = Array.from({ length: 400 }, (_, n) => ({
  rollout_id: `r${n}`,
  scenario_id: `s${n}`,
  prompt: n % 3 === 0 ? `Good morning! ${ask(n)}` : ask(n),
  final_text: `It was closed, ${n}.`,
  reward: 1,
}));
const evaluation: readonly Row[] = Array.from({ length: 80 }, (_, n) =>
  n % 4 === 0
    ? { scenario_id: `s${n}`, prompt: `Another wording of task ${n}`, final_text: '' }
    : {
        scenario_id: `e${n}`,
        prompt: n % 2 === 0 ? `Nothing of the kind is asked by ${n}` : ask(n * 5),
        final_text: '',
      },
);
const expected = decontaminate(selected, evaluation).kept.map(deliveryId).sort();

it.each([
  ['the evaluation first', ['evaluation', 'selected']],
  ['the training rows first', ['selected', 'evaluation']],
  ['both mixed, and a worker killed', undefined],
] as const)(
  'two processes end in the set of a batch that knew the whole evaluation: %s',
  async (name, order) => {
    const prefix = `retraction-${Date.now()}`;
    const folder = await freshFolder();
    const bus = kafkaBus({ brokers: [broker.address] });
    await ensureTopics(topicsOf(evaluationStages('topic'), prefix, 4), bus);
    const logs = { selected, evaluation };
    const send = (kind: 'selected' | 'evaluation', rows: readonly Row[] = logs[kind]) =>
      lastValueFrom(intoKafka({ bus, prefix, kind, source: pull(rows), ...rowIdentity }), { defaultValue: undefined });
    const settled = async () => {
      for (const [part, kind] of [
        ['guard', 'selected'],
        ['retract', 'evaluation'],
        ['sink.clean', 'clean'],
        ['sink.retractions', 'retractions'],
      ] as const)
        while ((await lagOf(bus, `${prefix}.${part}`, topicName(prefix, kind)).catch(unsettled)) > 0) await sleep(200);
    };
    const said: string[] = [];
    const workers = [1, 2].map(() => startWorker(prefix, folder, said));
    if (order) {
      for (const kind of order) {
        await send(kind);
        await settled();
      }
    } else {
      const mixed = [
        ...selected.map((row) => ['selected', row] as const),
        ...evaluation.map((row) => ['evaluation', row] as const),
      ]
        .map((one) => ({ one, place: draw(name, deliveryId(one[1])) }))
        .sort((a, b) => a.place - b.place)
        .map(({ one }) => one);
      for (let from = 0; from < mixed.length; from += 120) {
        const some = mixed.slice(from, from + 120);
        for (const kind of ['selected', 'evaluation'] as const)
          await send(
            kind,
            some.flatMap(([of, row]) => (of === kind ? [row] : [])),
          );
        if (from !== 240) continue;
        workers[0]?.kill('SIGKILL');
        workers[0] = startWorker(prefix, folder, said);
      }
      await settled();
    }
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
    expect(said).toEqual([]);
    expect(await idsInSet(folder)).toEqual(expected);
  },
  300_000,
);

/** A group whose members come and go has no coordinator for a while. */
const unsettled = () => 1;

function startWorker(prefix: string, folder: string, said: string[]): ChildProcess {
  const path = new URL('retraction-worker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', path, broker.address, prefix, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.on('data', (text) => said.push(String(text)));
  return child;
}
