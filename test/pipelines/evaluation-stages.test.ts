import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { pull } from '../../src/core/source.ts';
import { evaluationStages } from '../../src/pipelines/evaluation-stages.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { intoKafka } from '../../src/pipelines/into-kafka.ts';
import { onKafka } from '../../src/pipelines/on-kafka.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { topicName, topicsOf } from '../../src/pipelines/topics.ts';
import { decontaminate } from '../../src/reports/guard/decontaminate/index.ts';
import { deliveryId } from '../../src/rows/delivery-key.ts';
import type { Row } from '../../src/rows/row.ts';
import { trainingParts } from '../../src/sinks/training-parts.ts';
import { decisionsAbout } from '../../src/sources/decisions.ts';
import { ensureTopics } from '../../src/sources/kafka-topics.ts';
import { freshFolder } from '../folder.ts';
import { idsInSet } from '../ids-in-set.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const nothing = { defaultValue: undefined };
const subjects = ['order', 'parcel', 'invoice', 'account', 'subscription', 'voucher'];
const ask = (n: number) =>
  `Please look into ${subjects[n % 6]} number ${n} of mine, and tell me in one line why it was closed last week`;
const selected: Row[] = Array.from({ length: 60 }, (_, n) => ({
  rollout_id: `r${n}`,
  scenario_id: `s${n}`,
  prompt: n % 3 === 0 ? `Good morning! ${ask(n)}` : ask(n),
  final_text: `It was closed, ${n}.`,
  reward: 1,
}));
const evaluation: Row[] = [
  ...[0, 3, 7, 20, 31, 59].map((n) => ({ scenario_id: `e${n}`, prompt: ask(n) })),
  { scenario_id: 's11', prompt: 'Another wording of the same task' },
  { scenario_id: 'e-far', prompt: 'Nothing of the kind is asked here' },
];

const expected = decontaminate(selected, evaluation).kept.map(deliveryId).sort();

it.each([
  ['the evaluation first', ['evaluation', 'selected'] as const],
  ['the training rows first', ['selected', 'evaluation'] as const],
  ['both at a time', undefined],
])(
  'two workers end in the set of a batch that knew all: %s',
  async (_name, order) => {
    const folder = await freshFolder();
    const { bus, isDone, rows } = memoryBroker();
    const prefix = 'guarded';
    const stages = evaluationStages('topic');
    await ensureTopics(topicsOf(stages, prefix, 2), bus);
    const logs = { selected, evaluation };
    const send = (kind: 'selected' | 'evaluation', from = 0, to = 99) =>
      lastValueFrom(
        intoKafka({ bus, prefix, kind, source: pull(logs[kind].slice(from, to)), ...rowIdentity }),
        nothing,
      );
    const stop = new AbortController();
    const workers = [0, 1].map(() => {
      const parts = () => trainingParts({ folder, partRows: 8, waitMs: 10 });
      const sinks = { clean: parts(), retractions: parts() };
      return lastValueFrom(onKafka(evaluationStages('topic'), { bus, prefix, sinks, stop: stop.signal }), nothing);
    });
    const settled = async () => {
      for (const [part, kind] of [
        ['guard', 'selected'],
        ['retract', 'evaluation'],
        ['sink.clean', 'clean'],
        ['sink.retractions', 'retractions'],
      ] as const)
        await vi.waitFor(
          () => expect([part, isDone(`${prefix}.${part}`, topicName(prefix, kind))]).toEqual([part, true]),
          15_000,
        );
    };
    if (order)
      for (const kind of order) {
        await send(kind);
        await settled();
      }
    else
      await Promise.all([send('selected', 0, 30), send('evaluation', 0, 4)]).then(() =>
        Promise.all([send('evaluation', 4), send('selected', 30)]),
      );
    await settled();
    stop.abort();
    await Promise.all(workers);
    expect(await idsInSet(folder)).toEqual(expected);
    const retracted = new Set(rows(topicName(prefix, 'retractions')).map(({ row_id }) => row_id));
    if (order?.[0] === 'selected') {
      expect(retracted.size).toBe(selected.length - expected.length);
      const said = (await decisionsAbout('r7', folder)).map(({ decision }) => [decision.decision, decision.by]);
      expect(said).toEqual(
        expect.arrayContaining([
          ['kept', 'training-parts'],
          ['left', 'evaluation'],
        ]),
      );
    }
  },
  60_000,
);

it('an evaluation in files is known before the first row is decided', async () => {
  const folder = await freshFolder();
  const path = join(folder, 'evaluation.jsonl');
  await writeFile(path, evaluation.map((row) => `${JSON.stringify({ final_text: '', ...row })}\n`).join(''));
  const [clean, rejected] = [memorySink<Row>(), rejectedSink()];
  const run = inMemory(evaluationStages([path]), { source: pull(selected), sinks: { clean }, rejected });
  await lastValueFrom(run, nothing);
  expect(clean.rows.map(deliveryId).sort()).toEqual(expected);
  expect([...new Set(rejected.rows.map(({ by, reason }) => `${by} ${reason}`))].sort()).toEqual([
    'drop-contaminated exact',
    'drop-contaminated near',
    'drop-contaminated same_task',
  ]);
});
