import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { pass } from '../../src/core/pass.ts';
import { run } from '../../src/core/run.ts';
import { pull } from '../../src/core/source.ts';
import type { Row } from '../../src/rows/row.ts';
import { type TrainingPart, trainingPartSchema } from '../../src/rows/training-part.ts';
import { trainingParts } from '../../src/sinks/training-parts.ts';
import { freshFolder } from '../folder.ts';
import { rejectedSink } from '../memory.ts';

const row = (n: number): Row => ({
  rollout_id: `r${n}`,
  scenario_id: `task-${n >> 1}`,
  prompt: `Where is ${n}?`,
  final_text: `It is at ${n}.`,
  reward: n % 2,
});
const rows = (...numbers: number[]) => numbers.map(row);
const record = (partition: number, offset: number) => ({
  topic: 'selected',
  partition,
  offset: String(offset),
  timestamp: '0',
  key: null,
  value: null,
  headers: {},
});

async function entries(folder: string): Promise<TrainingPart[]> {
  const names = (await readdir(join(folder, 'manifest'))).sort();
  return Promise.all(
    names.map(async (name) =>
      trainingPartSchema.parse(JSON.parse(await readFile(join(folder, 'manifest', name), 'utf8'))),
    ),
  );
}
const idsOf = (parts: readonly TrainingPart[]) =>
  parts.flatMap(({ row_ids }) => row_ids.map((id) => JSON.parse(id)[0]));

it('writes whole parts whose entries say what is in them and where it came from', async () => {
  const folder = await freshFolder();
  const told: string[] = [];
  const sink = trainingParts({ folder }, { tell: ({ part }) => told.push(part) });
  await sink.write(rows(0, 1, 2), [[record(3, 7)], [record(3, 9)], [record(0, 4)]]);
  await sink.write(rows(3), [[record(3, 11)]]);
  const found = await entries(folder);
  expect(told.sort()).toEqual(found.map(({ part }) => part));
  expect(found).toMatchObject([
    { part: 'p00-000001', rows: 1, offsets: [{ topic: 'selected', partition: 0, first: '4', last: '4' }] },
    { part: 'p03-000001', rows: 2, samples: 2, offsets: [{ first: '7', last: '9' }], refused: [] },
    { part: 'p03-000002', rows: 1 },
  ]);
  for (const { file, sha256, bytes, samples } of found) {
    const text = await readFile(join(folder, file), 'utf8');
    expect([createHash('sha256').update(text).digest('hex'), Buffer.byteLength(text)]).toEqual([sha256, bytes]);
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).messages.length),
    ).toHaveLength(samples);
  }
});

describe('each rollout is in one part', () => {
  it('when it is delivered again, in the same batch or a later one', async () => {
    const folder = await freshFolder();
    const sink = trainingParts({ folder });
    await sink.write(rows(0, 1, 0));
    await sink.write(rows(1, 2));
    await sink.write(rows(2));
    expect(idsOf(await entries(folder))).toEqual(['r0', 'r1', 'r2']);
  });

  it('when another process goes on after a kill', async () => {
    const folder = await freshFolder();
    await trainingParts({ folder }).write(rows(0, 1));
    await trainingParts({ folder }).write(rows(1, 2));
    expect(idsOf(await entries(folder))).toEqual(['r0', 'r1', 'r2']);
  });

  it('when a process that lost its partition writes on beside the new owner', async () => {
    const folder = await freshFolder();
    const [old, owner] = [trainingParts({ folder }), trainingParts({ folder })];
    await Promise.all([old.write(rows(0)), owner.write(rows(1))]); // both have read the entries
    const writing = async (sink: typeof owner, shift: number) => {
      for (let n = 0; n < 20; n++) await sink.write(rows(n + shift, n + 1 - shift));
    };
    await Promise.all([writing(old, 0), writing(owner, 1)]);
    const ids = idsOf(await entries(folder));
    expect(ids.toSorted()).toEqual(
      rows(...Array(21).keys())
        .map(({ rollout_id }) => rollout_id)
        .toSorted(),
    );
  });
});

it('takes back what an earlier telling of a trace brought, whichever comes first and whoever writes', async () => {
  const folder = await freshFolder();
  const told = (n: number, revision: number): Row => ({
    ...row(n),
    revision,
    final_text: `It is at ${n}, ${revision}.`,
  });
  const sink = trainingParts({ folder });
  await sink.write([told(0, 2), told(1, 1), row(2)]);
  await sink.write([told(0, 1), told(1, 2), told(1, 3)]); // an older one comes late, two newer ones together
  await trainingParts({ folder }).write([{ ...told(0, 3), retracted: true, final_text: '' }, told(0, 2)]);
  await trainingParts({ folder }).write([told(1, 3)]);
  const parts = await entries(folder);
  const revisionsIn = (ids: readonly string[]) => ids.map((id) => [JSON.parse(id)[0], JSON.parse(id)[3]]);
  expect(parts.map(({ row_ids, retracted }) => [revisionsIn(row_ids), revisionsIn(retracted)])).toEqual([
    [
      [
        ['r0', 2],
        ['r1', 1],
        ['r2', undefined],
      ],
      [],
    ],
    [[['r1', 3]], [['r1', 1]]],
    [[], [['r0', 2]]],
  ]);
  expect(parts.map(({ samples, row_samples }) => row_samples.reduce((sum, n) => sum + n, 0) - samples)).toEqual([
    0, 0, 0,
  ]);
});

it('gathers rows into parts, and gives their credits back while they wait', async () => {
  const folder = await freshFolder();
  const source = pull(rows(...Array(25).keys()));
  const sink = trainingParts({ folder, partRows: 10, waitMs: 60_000 });
  await lastValueFrom(run({ source, operator: pass(), sink, rejected: rejectedSink(), maxInFlight: 2 }), {
    defaultValue: undefined,
  });
  expect((await entries(folder)).map((part) => part.rows)).toEqual([10, 10, 5]);
});

it('writes a part that does not fill after a while', async () => {
  const folder = await freshFolder();
  const told: TrainingPart[] = [];
  const sink = trainingParts({ folder, waitMs: 5 }, { tell: (part) => told.push(part) });
  const endless = pull(
    (async function* () {
      yield* rows(0, 1);
      await new Promise(() => {});
    })(),
  );
  const running = run({ source: endless, operator: pass(), sink, rejected: rejectedSink() }).subscribe();
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]?.rows).toBe(2);
  running.unsubscribe();
});

it('leaves out a row that no training file may hold, and names it', async () => {
  const folder = await freshFolder();
  const bad: Row = { ...row(9), steps: [{ tool: 'get_order', arguments_raw: '{"id":', result: 'gone' }] };
  await trainingParts({ folder }).write([row(1), bad]);
  const [part] = await entries(folder);
  expect(idsOf([part as TrainingPart])).toEqual(['r1']);
  expect(part?.refused).toMatchObject([
    { row_id: expect.stringContaining('r9'), reason: 'tool_call_roundtrip_invalid' },
  ]);
});

it('says which entry is damaged, and writes nothing beside it', async () => {
  const folder = await freshFolder();
  await trainingParts({ folder }).write(rows(0));
  await writeFile(join(folder, 'manifest', 'rows-000001.json'), '{"part":');
  await expect(trainingParts({ folder }).write(rows(1))).rejects.toMatchObject({
    code: 'TM_SINK',
    message: expect.stringContaining('rows-000001.json is damaged'),
  });
  expect(await readdir(join(folder, 'manifest'))).toEqual(['rows-000001.json']);
});
