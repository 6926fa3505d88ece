import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { writeWorkload } from '../../bench/stream/workload.ts';
import { compose } from '../../src/core/compose.ts';
import { run } from '../../src/core/run.ts';
import { dedupe } from '../../src/operators/dedupe.ts';
import { judge } from '../../src/operators/judge.ts';
import { type Row, rowSchema } from '../../src/rows/row.ts';
import { jsonlSink } from '../../src/sinks/jsonl.ts';
import { jsonlSource } from '../../src/sources/jsonl.ts';
import { freshFolder } from '../folder.ts';

it('file to file: every repeat is caught, every other row is graded and written once, in the order of the file', async () => {
  const folder = await freshFolder();
  const path = (name: string) => join(folder, `${name}.jsonl`);
  const { repeats } = writeWorkload(path('in'), 3000, 30);
  const operator = compose(
    dedupe<Row>({ by: ['rollout_id'] }),
    judge<Row>({}, { judge: ({ final_text }) => (final_text?.includes('refund') ? 1 : 0) }),
  );
  const ends = { sink: jsonlSink({ path: path('out') }), rejected: jsonlSink({ path: path('rejected') }) };
  const source = jsonlSource({ path: path('in') }, rowSchema);
  await lastValueFrom(run({ source, operator, ...ends }), { defaultValue: undefined });
  const rows = async (name: string) =>
    (await readFile(path(name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row & { origins: { line: number }[] });
  const [written, rejected] = [await rows('out'), await rows('rejected')];
  expect([repeats, rejected.length, written.length]).toEqual([30, 30, 2970]);
  const ids = written.map(({ rollout_id }) => Number(rollout_id?.slice(1)));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect(new Set(written.map(({ reward }) => reward))).toEqual(new Set([0, 1]));
  expect(rejected.map(({ origins }) => (origins[0]?.line ?? 0) % 100)).toEqual(rejected.map(() => 0));
});
