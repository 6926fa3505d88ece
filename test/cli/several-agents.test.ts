import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inFolder } from './in-folder.ts';

const { at, call, linesOf, write } = inFolder();

const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const talk = (ask: string, system?: string) => ({
  messages: [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: ask },
    { role: 'assistant', content: 'done' },
  ],
});
const a = { ...talk('do a', 'AGENT A'), tools: [tool('a_tool')] };
const b = { ...talk('do b', 'AGENT B'), tools: [tool('b_tool')] };
const promptsOf = (samples: readonly { messages: { role: string; content: string }[]; tools: object[] }[]) =>
  samples.map(({ messages, tools }) => [
    messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])),
    tools,
  ]);

it('a file of two agents is exported with the prompt and the tools of each, and nobody is given those of another', async () => {
  await write('two.jsonl', [a, b, talk('do c')]);
  await call('import', at('two.jsonl'), '--out', at('rows.jsonl'));
  const { said } = await call('export', at('rows.jsonl'), '--format', 'openai', '--out', at('set.jsonl'));
  expect(promptsOf(await linesOf('set.jsonl'))).toEqual([
    [['AGENT A'], [tool('a_tool')]],
    [['AGENT B'], [tool('b_tool')]],
    [[], []],
  ]);
  expect(said).toContain('System prompts: 2 of the row itself, 1 without. Tools: 2 of the row itself, 1 without.');
  expect(said).toContain('1 samples have no system prompt');
  await writeFile(at('policy.md'), 'FILLED IN');
  const filled = await call(
    'export',
    at('rows.jsonl'),
    '--policy',
    at('policy.md'),
    '--format',
    'trl',
    '--out',
    at('set.jsonl'),
  );
  expect(promptsOf(await linesOf('set.jsonl')).map(([prompt]) => prompt)).toEqual([
    ['AGENT A'],
    ['AGENT B'],
    ['FILLED IN'],
  ]);
  expect(filled.said).toContain('System prompts: 2 of the row itself, 1 of the run.');
});

it('import --policy-out of rows with two prompts says that it writes the first of them', async () => {
  await write('two.jsonl', [a, b]);
  const outs = ['--policy-out', at('policy.txt'), '--tools-out', at('tools.json')];
  const { said } = await call('import', at('two.jsonl'), '--out', at('rows.jsonl'), ...outs);
  expect(said).toContain('Warning: the rows have 2 different system prompts: ');
  expect(said).toContain('policy.txt holds the first of them, each row keeps its own');
  expect(said).toContain('Warning: the rows have 2 different lists of tools: ');
  expect(JSON.parse(await readFile(at('rows.meta.json'), 'utf8'))).toMatchObject({
    system_prompt: null,
    tools: [tool('a_tool'), tool('b_tool')],
    tools_by_row: true,
  });
});

it('import of one agent keeps its prompt and its tools for a later command', async () => {
  await write('one.jsonl', [a, a]);
  const { said } = await call('import', at('one.jsonl'), '--out', at('rows.jsonl'), '--policy-out', at('policy.txt'));
  expect(said).not.toContain('Warning');
  const meta = JSON.parse(await readFile(at('rows.meta.json'), 'utf8'));
  expect(meta).toMatchObject({ system_prompt: 'AGENT A', tools: [tool('a_tool')] });
  expect(meta).not.toHaveProperty('tools_by_row');
});

it('two runs that are exported together each keep their prompt and their tools', async () => {
  for (const name of ['one', 'two']) {
    const lineage = { system_prompt_sha: `sha-${name}` };
    await write(`${name}.jsonl`, [{ rollout_id: name, prompt: `do ${name}`, final_text: 'done', lineage }]);
    const meta = {
      schema_version: '1',
      system_prompt: `RUN ${name}`,
      system_prompts: { [`sha-${name}`]: `RUN ${name}` },
      tools: [tool(name)],
    };
    await writeFile(at(`${name}.meta.json`), JSON.stringify(meta));
  }
  await call('export', at('one.jsonl'), at('two.jsonl'), '--format', 'openai', '--out', at('set.jsonl'));
  expect(promptsOf(await linesOf('set.jsonl'))).toEqual([
    [['RUN one'], [tool('one')]],
    [['RUN two'], [tool('two')]],
  ]);
});

it('publish of live traces has their system prompts, and says how many samples have none', async () => {
  const row = (n: number, more: object) => ({
    rollout_id: `r${n}`,
    prompt: `Where is order ${n}?`,
    final_text: `It is in town ${n}.`,
    reward: 1,
    ...more,
  });
  await write('s.jsonl', [row(1, { system_prompt: 'LIVE' }), row(2, { system_prompt: 'LIVE' }), row(3, {})]);
  const { exit, said } = await call('publish', at('s.jsonl'), '--out', at('set'), '--mode', 'sft', '--holdout', '0');
  expect([exit, said]).toEqual([0, expect.stringContaining('1 samples have no system prompt')]);
  expect(said).toContain('System prompts: 2 of the row itself, 1 without.');
  expect(promptsOf(await linesOf('set/data/train.jsonl')).map(([prompt]) => prompt)).toEqual([['LIVE'], ['LIVE'], []]);
});

it('import of a folder with a notes.txt says that it is no policy, and gives it to no row', async () => {
  await mkdir(at('folder'));
  await write('folder/rows.jsonl', [talk('do c')]);
  await writeFile(at('folder/notes.txt'), 'Buy milk.');
  const { exit, said } = await call('import', at('folder'), '--out', at('rows.jsonl'));
  expect([exit, said]).toEqual([0, expect.stringContaining('unnamed_text')]);
  expect(said).toContain('notes.txt: a text in a folder is a policy only by its name, such as policy.md');
  expect(JSON.parse(await readFile(at('rows.meta.json'), 'utf8'))).toMatchObject({ system_prompt: null });
});
