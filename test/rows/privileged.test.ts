import { expect, it } from 'vitest';
import { exportRow } from '../../src/rows/export-row.ts';
import { answerKeyPath, joinAnswerKey, splitAnswerKey } from '../../src/rows/privileged.ts';
import { rowSchema } from '../../src/rows/row.ts';

it('splits a row from its answer key and joins them again', () => {
  const row = rowSchema.parse({
    scenario_id: 's',
    prompt: '2+2',
    final_text: '4',
    privileged: { reference: '4', rubric: { id: 1 } },
    reference: 4,
    rubric: null,
  });
  const { row: open, key } = splitAnswerKey(row);
  expect(key).toEqual({ task_key: 's', privileged: row.privileged, columns: { reference: 4 } });
  expect(joinAnswerKey(open, key)).toEqual(row);
  expect(joinAnswerKey(exportRow(open), key)).toMatchObject({ privileged: row.privileged, reference: 4 });
});

it('leaves a row without answers alone, and lets a row overrule the key of its task', () => {
  const row = { prompt: 'p', reference: 'mine' };
  expect(splitAnswerKey({ prompt: 'p' })).toEqual({ row: { prompt: 'p' }, key: undefined });
  expect(joinAnswerKey(row, undefined)).toBe(row);
  expect(joinAnswerKey(row, { task_key: 'p', columns: { reference: 'old' } })).toEqual(row);
});

it('names the file of the keys after the file of the rows', () => {
  expect(answerKeyPath('out/run.jsonl')).toBe('out/run.jsonl.privileged.jsonl');
});
