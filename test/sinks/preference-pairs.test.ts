import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportPreference } from '../../src/sinks/preference-pairs.ts';

const side = (final_text: string, more: object = {}) => ({
  prompt: 'q',
  steps: [],
  final_text,
  judge_name: 'J',
  ...more,
});
const pair = (chosen: object, rejected: object, more: object = {}) => ({ prompt: 'q', chosen, rejected, ...more });
const fresh = async () => join(await mkdtemp(join(tmpdir(), 'pairs-')), 'pairs.jsonl');
const rowsOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('writes the answer key of neither side, and keeps an argument called reference', async () => {
  const path = await fresh();
  const step = { tool: 'pay', arguments: { reference: 'INV-12' }, result: { privileged: 1 } };
  const chosen = side('paid', { steps: [step], privileged: { reference: 'gold' }, answer: 'gold' });
  await exportPreference([pair(chosen, side('no'), { lineage: { privileged: 'gold', from: 'x' } })], path);
  const text = await readFile(path, 'utf8');
  expect(text).toContain('INV-12');
  for (const hidden of ['gold', 'privileged', 'answer']) expect(text).not.toContain(hidden);
});

it('leaves out two sides that say the same, and names the judge that told them apart', async () => {
  const path = await fresh();
  const report = await exportPreference([pair(side('Yes.'), side(' yes. ')), pair(side('a'), side('b'))], path);
  expect(report).toMatchObject({ pairs: 1, equal_sides_dropped: 1, equal_sides_judges: ['J'], path });
});

it('puts the shared history into the prompt, whatever ids the calls were given', async () => {
  const path = await fresh();
  const talk = (id: string, reply: string) => ({
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: '', tool_calls: [{ id, function: { name: 't', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: id, content: 'r' },
      { role: 'assistant', content: reply },
    ],
  });
  await exportPreference([pair(talk('x1', 'good'), talk('y9', 'bad'))], path, { format: 'trl' });
  const [row] = await rowsOf(path);
  expect(row).toMatchObject({ prompt: [{}, { tool_calls: [{ id: 'x1' }] }, { tool_call_id: 'x1' }] });
  expect([row?.['chosen'], row?.['rejected']]).toEqual([
    [{ role: 'assistant', content: 'good' }],
    [{ role: 'assistant', content: 'bad' }],
  ]);
});

it('writes no file when nothing is left, and refuses when asked to check', async () => {
  const path = await fresh();
  const tie = pair(side('a'), side('b'), { tie: true });
  await expect(exportPreference([tie], path)).rejects.toMatchObject({ code: 'TM_NO_PREFERENCE_PAIRS' });
  expect(await exportPreference([tie], path, { validate: false })).toMatchObject({
    pairs: 0,
    ties_dropped: 1,
    path: null,
  });
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('refuses a pair without one of its sides', async () => {
  await expect(exportPreference([{ prompt: 'q', chosen: side('a') }], await fresh())).rejects.toThrow(
    'a pair needs a row under chosen and one under rejected',
  );
});

it('warns of pairs that teach length', async () => {
  const pairs = [1, 2, 3].map((n) => pair(side(`a longer reply ${n}`), side(`${n}`), { length_delta: 14, margin: n }));
  expect(await exportPreference(pairs, await fresh())).toMatchObject({
    chosen_longer_frac: 1,
    mean_margin: 2,
    warning_codes: ['length_confound'],
  });
});
