import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';
import { freshFolder } from '../folder.ts';

const page = () => readFile('docs/loop.md', 'utf8');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, inner = '']) => inner);

async function call(...argv: string[]) {
  const { io, said, out } = testIo();
  const exit = await cli(commands, '0', argv, io);
  return { exit, said: said(), out: out() };
}

it('the config of the page grows a set, which becomes one file whose rollouts can be asked about', async () => {
  const text = await page();
  const folder = await freshFolder();
  const [config = ''] = blocks(text, 'yaml');
  const [run = '', , parts = '', why = ''] = blocks(text, 'sh');
  const traces = Array.from({ length: 12 }, (_, n) => ({
    rollout_id: `trace-${n}`,
    prompt: `Where is my order A-${n}?`,
    steps: [{ tool: 'get_order', arguments: { order_id: `A-${n}` }, result: { error: 'timeout' } }],
    final_text: 'It was delivered.',
  }));
  await writeFile(join(folder, 'traces.jsonl'), traces.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const placed = config
    .replaceAll('docs/', `${process.cwd()}/docs/`)
    .replace('out: training', `out: ${folder}/training`);
  await writeFile(join(folder, 'loop.yaml'), placed);
  const words = (line: string) =>
    line
      .trim()
      .replace('npx tracemill ', '')
      .split(' ')
      .map((word) => (/^(loop\.yaml|training|train\.jsonl)$/.test(word) ? join(folder, word) : word));
  const done = await call(...words(run));
  expect([done.exit, done.exit === 0 ? '' : done.said]).toEqual([0, '']);
  expect(await readFile(join(folder, 'training.rejected.jsonl'), 'utf8')).toContain('"by":');
  const twice = await call(...words(run), '--out', join(folder, 'selected.jsonl'));
  expect([twice.exit, twice.said]).toEqual([2, expect.stringContaining('a kind has one place')]);
  const made = await call(...words(parts), '--json');
  expect(made.exit).toBe(0);
  const lines = (await readFile(join(folder, 'train.jsonl'), 'utf8')).trim().split('\n');
  const counts = JSON.parse(made.out);
  expect(counts).toMatchObject({ retracted: 0, samples: lines.length });
  expect(counts.samples).toBeGreaterThan(0);
  const manifest = join(folder, 'training/manifest');
  const [first = ''] = await readdir(manifest);
  const entry = JSON.parse(await readFile(join(manifest, first), 'utf8'));
  const [{ row_id = '' } = {}] = entry.decisions;
  const told = await call(...words(why.replace('ROW_ID', row_id)));
  expect([told.exit, told.out]).toEqual([0, expect.stringContaining('kept')]);
}, 120_000);
