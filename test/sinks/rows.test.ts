import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.ts';
import { rowsSink } from '../../src/sinks/rows.ts';
import { freshFolder } from '../folder.ts';

const row = (rollout_id: string, more: object): Row => ({
  rollout_id,
  prompt: 'p',
  steps: [],
  final_text: '',
  ...more,
});
const linesOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

it('keeps the last word on each trace when it finishes, and nothing of what was taken back', async () => {
  const path = join(await freshFolder(), 'rows.jsonl');
  const sink = rowsSink({ path });
  await sink.write([row('a', { revision: 2, final_text: 'half' }), row('b', {}), row('c', { revision: 1 })]);
  await sink.write([row('a', { revision: 5, final_text: 'whole' }), row('a', { revision: 3, final_text: 'late' })]);
  await sink.write([row('c', { revision: 2, retracted: true }), row('b', {})]);
  await sink.finish?.();
  await sink.close();
  expect((await linesOf(path)).map(({ rollout_id, final_text }) => [rollout_id, final_text])).toEqual([
    ['b', ''],
    ['a', 'whole'],
    ['b', ''],
  ]);
});

it('takes a later revision of a trace that an earlier run wrote, and not the same again', async () => {
  const path = join(await freshFolder(), 'rows.jsonl');
  for (const rows of [
    [row('a', { revision: 2 })],
    [row('a', { revision: 2 }), row('a', { revision: 3, final_text: 'whole' })],
  ]) {
    const sink = rowsSink({ path, isResumed: true });
    await sink.open();
    await sink.write(rows);
    await sink.finish?.();
    await sink.close();
  }
  expect(await linesOf(path)).toMatchObject([{ rollout_id: 'a', revision: 3, final_text: 'whole' }]);
});
