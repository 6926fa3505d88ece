import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inFolder } from './in-folder.ts';

const { at, call, linesOf, write } = inFolder();

/** Three traces: of `a` three tellings, the last of them first in the file; `b` was taken back; `c` was told once. */
const telling = (rollout_id: string, revision: number | undefined, more: object = {}) => ({
  schema_version: '1',
  steps: [],
  rollout_id,
  ...(revision !== undefined && { revision }),
  prompt: `Where is order ${rollout_id}${revision ?? ''}?`,
  final_text: `It is at ${rollout_id}${revision ?? ''}.`,
  ...more,
});
const rows = [
  telling('a', 3),
  telling('a', 1),
  telling('b', 1),
  telling('c', undefined),
  telling('a', 2),
  telling('b', 2, { retracted: true, prompt: '', final_text: '' }),
];

it('grade judges a trace once that was told three times, and says how many rows it did not read', async () => {
  await write('rows.jsonl', rows);
  await writeFile(
    at('judge.mjs'),
    `import { appendFileSync } from 'node:fs';
export default (row) => { appendFileSync(${JSON.stringify(at('calls'))}, row.final_text + '\\n'); return 1; };`,
  );
  const { exit, said } = await call('grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('graded.jsonl'));
  expect([exit, (await readFile(at('calls'), 'utf8')).trim().split('\n').sort()]).toEqual([
    0,
    ['It is at a3.', 'It is at c.'],
  ]);
  expect(said).toMatch(/rows +superseded +3/);
  expect(said).toMatch(/rows +retracted +1/);
  expect(said).not.toContain('response cache');
  expect((await linesOf('graded.jsonl')).map(({ rollout_id }) => rollout_id)).toEqual(['a', 'c']);
});

it('select does not say not_pass of rows that a later revision replaced, in whichever file that is', async () => {
  await write('old.jsonl', [telling('a', 1, { reward: 0 }), telling('c', undefined, { reward: 1 })]);
  await write('new.jsonl', [telling('a', 2, { reward: 1 })]);
  const files = [at('old.jsonl'), at('new.jsonl')];
  const { said } = await call('select', ...files, '--mode', 'sft', '--out', at('selected.jsonl'));
  expect(said).not.toContain('not_pass');
  expect(said).toMatch(/rows +superseded +1/);
  expect((await linesOf('selected.jsonl')).map(({ final_text }) => final_text).sort()).toEqual([
    'It is at a2.',
    'It is at c.',
  ]);
});

it('publish --against an evaluation with two tellings of a trace compares with the last, and reads all of it', async () => {
  await write('s.jsonl', [telling('x', undefined, { reward: 1 })]);
  await write('evaluation.jsonl', rows);
  const how = ['--mode', 'sft', '--holdout', '0', '--against', at('evaluation.jsonl')];
  const { exit, said } = await call('publish', at('s.jsonl'), '--out', at('set'), ...how);
  expect([exit, said]).toEqual([0, expect.not.stringContaining('cannot be read')]);
});

it('traces tells that earlier tellings were left out', async () => {
  await write('rows.jsonl', rows);
  expect((await call('traces', at('rows.jsonl'))).out).toContain('2 traces, 2 different asks');
  expect((await call('traces', at('rows.jsonl'))).out).toContain('4 earlier tellings of them left out');
});
