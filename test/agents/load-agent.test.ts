import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAgentPath, loadAgent } from '../../src/agents/load-agent.ts';

const folder = await mkdtemp(join(tmpdir(), 'agent-'));
await writeFile(
  join(folder, 'a.mjs'),
  'export const agent = () => "hi"; export function second() { return "two"; } export const n = 1;',
);
await writeFile(join(folder, 'broken.mjs'), 'export const agent = ;');

it('loads a function by its name, and `agent` without one', async () => {
  const play = await loadAgent('./a.mjs#second', folder);
  expect([play('', {} as never), (await loadAgent(join(folder, 'a.mjs')))('', {} as never)]).toEqual(['two', 'hi']);
});

it.each([
  ['./gone.mjs', 'there is no file ./gone.mjs'],
  ['./a.mjs#third', './a.mjs exports no function third; it has agent, second'],
  ['./a.mjs#n', './a.mjs exports no function n; it has agent, second'],
  ['./broken.mjs', './broken.mjs could not be loaded'],
])('%s is refused', async (spec, message) => {
  await expect(loadAgent(spec, folder)).rejects.toThrow(message);
});

it('knows a module path from a model', () => {
  expect(
    ['./agent.ts#x', 'agent.mjs', '/abs/a.js', 'ollama:llama3.1', 'vllm:m@http://h:1/v1'].map(isAgentPath),
  ).toEqual([...[true, true, true, false, false]]);
});
