import { expect, it } from 'vitest';
import { preferenceSet } from '../../../src/reports/export/preference-set.ts';
import { promptSet } from '../../../src/reports/export/prompt-set.ts';
import { trainingRows } from '../../../src/reports/export/training-rows.ts';
import { trainingSet } from '../../../src/reports/export/training-set.ts';

const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const told = (agent: string, more: object = {}) => ({
  prompt: `do ${agent}`,
  final_text: 'done',
  system_prompt: `AGENT ${agent}`,
  tools: [tool(`${agent}_tool`)],
  ...more,
});
const bare = { prompt: 'do it', final_text: 'done' };
const run = { runPrompt: 'THE RUN', runTools: [tool('run_tool')] };

type Sample = {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: unknown;
};
const seen = (rows: readonly object[], options: object) =>
  (trainingRows(rows as never, options) as unknown as readonly Sample[]).map(({ messages, tools }) => [
    messages.filter(({ role }) => role === 'system').map(({ content }) => content),
    tools,
  ]);

it('exports AGENT B with the prompt and the tools of AGENT B, not with those of the file', () => {
  const inMessages = {
    prompt: 'do c',
    messages: [
      { role: 'system', content: 'AGENT C' },
      { role: 'user', content: 'do c' },
      { role: 'assistant', content: 'done' },
    ],
    system_prompt: 'AGENT C',
  };
  expect(seen([told('a'), told('b'), inMessages, bare], run)).toEqual([
    [['AGENT a'], [tool('a_tool')]],
    [['AGENT b'], [tool('b_tool')]],
    [['AGENT C'], [tool('run_tool')]],
    [['THE RUN'], [tool('run_tool')]],
  ]);
});

it('has what is given for all in place of what rows and runs say', () => {
  const inMessages = {
    messages: [
      { role: 'system', content: 'OWN' },
      { role: 'user', content: 'do' },
      { role: 'assistant', content: 'done' },
    ],
  };
  const given = { systemPrompt: 'GIVEN', tools: [tool('given')] };
  expect(seen([told('a'), inMessages, bare], { ...run, ...given })).toEqual(
    [0, 1, 2].map(() => [['GIVEN'], [tool('given')]]),
  );
  const pairs = preferenceSet({ ...run, ...given });
  const { row } = pairs.entry({ chosen: told('b'), rejected: told('b', { final_text: 'no' }) }) as { row: object };
  expect(row).toMatchObject({ chosen: [{ content: 'GIVEN' }, {}, {}], tools: [tool('given')] });
});

it('has the system prompt of a live trace in the training set, with no prompt of a run beside it', () => {
  expect(seen([told('a')], {})).toEqual([[['AGENT a'], [tool('a_tool')]]]);
});

it('gives a row that names its prompt by a hash the prompt and the tools of that run, and no other', () => {
  const of = (hash: string) => ({ ...bare, lineage: { system_prompt_sha: hash } });
  const two = { systemPrompts: { h1: 'ONE', h2: 'TWO' }, toolsByPrompt: { h1: [tool('t1')], h2: [tool('t2')] } };
  expect(seen([of('h1'), of('h2'), of('h3'), bare], { ...run, ...two })).toEqual([
    [['ONE'], [tool('t1')]],
    [['TWO'], [tool('t2')]],
    [[], undefined],
    [['THE RUN'], [tool('run_tool')]],
  ]);
});

it('counts how many samples took the prompt of their row, of the run, or none', () => {
  const set = trainingSet({ runPrompt: 'THE RUN' });
  for (const row of [told('a'), told('b'), bare]) set.add(set.entry(row));
  const { report } = set.end();
  expect([report.system_prompt_from, report.tools_from]).toEqual([
    { row: 2, run: 1, none: 0 },
    { row: 2, run: 0, none: 1 },
  ]);
});

it('pairs and prompts have the prompt and the tools of their rows, too', () => {
  const pairs = preferenceSet(run);
  const pair = { chosen: told('b'), rejected: told('b', { final_text: 'no' }) };
  expect(pairs.entry(pair)).toMatchObject({
    row: {
      chosen: [{ content: 'AGENT b' }, {}, {}],
      rejected: [{ content: 'AGENT b' }, {}, {}],
      tools: [tool('b_tool')],
    },
  });
  pairs.add(pairs.entry(pair));
  expect(pairs.end().report).toMatchObject({ system_prompt_from: { row: 1, run: 0 }, tools_from: { row: 1, run: 0 } });
  const prompts = promptSet({ ...run, band: null });
  const entries = [told('b'), bare].map((row) => prompts.entry(row));
  for (const entry of entries) prompts.add(entry);
  const { linesOf, report } = prompts.end();
  expect(report).toMatchObject({ system_prompt_from: { row: 1, run: 1 }, tools_from: { row: 1, run: 1 } });
  const lines = entries.flatMap((entry) => linesOf(entry)).map((line) => JSON.parse(line));
  expect(lines.map(({ prompt, tools }) => [prompt[0].content, JSON.parse(tools)])).toEqual([
    ['AGENT b', [tool('b_tool')]],
    ['THE RUN', [tool('run_tool')]],
  ]);
});
