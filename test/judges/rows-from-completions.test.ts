import { expect, it } from 'vitest';
import { rowsFromCompletions } from '../../src/judges/rows-from-completions.ts';
import { exactMatch } from '../../src/judges/verifiers/exact-match.ts';
import { passAt } from '../../src/reports/pass-at/index.ts';

const prompts = ['2 + 2', '3 + 3'];
const said = [['4', '5'], ['6']];

it('takes rewards flat or nested, and each completion is a repeat of its task', async () => {
  const flat = await rowsFromCompletions(prompts, said, { reward: [1, 0, 0.5], model: 'm' });
  expect(flat).toEqual(await rowsFromCompletions(prompts, said, { reward: [[1, 0], [0.5]], model: 'm' }));
  expect(flat.map(({ rollout_index, reward, judge_name }) => [rollout_index, reward, judge_name])).toEqual([
    [0, 1, 'given'],
    [1, 0, 'given'],
    [0, 0.5, 'given'],
  ]);
  expect(flat[0]?.scenario_id).toMatch(/^task_[0-9a-f]{12}$/);
  expect(flat[0]?.scenario_id).toBe(flat[1]?.scenario_id);
});

it('grades with a verifier or a function, by references that stay the answer key', async () => {
  const references = ['4', '6'];
  const verified = await rowsFromCompletions(prompts, said, { reward: exactMatch(), references });
  const scored = await rowsFromCompletions(prompts, said, {
    references,
    reward: (_, text, right) => Number(text === right),
  });
  for (const rows of [verified, scored]) expect(rows.map(({ reward }) => reward)).toEqual([1, 0, 1]);
  expect(verified[2]?.privileged).toEqual({ reference: '6' });
  expect(passAt(scored)).toMatchObject({ pass_at_1: 0.75, n_groups: 2 });
});

it.each([
  ['completions', [['4']], {}],
  ['references', said, { references: ['4'] }],
  ['reward', said, { reward: [1, 0] }],
  ['reward[0]', said, { reward: [[1], [1]] }],
  ['markers', said, { markers: [{ short: 1 }] }],
])('names %s when its length is wrong', async (name, completions, about) => {
  await expect(rowsFromCompletions(prompts, completions, about)).rejects.toMatchObject({
    code: 'TM_OPTIONS',
    message: expect.stringContaining(`${name} has`),
  });
});
