import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { setFormats } from '../../src/sinks/open-set.ts';
import { testIo } from '../cli/test-io.ts';
import { freshFolder } from '../folder.ts';

const page = () => readFile('docs/exports.md', 'utf8');

it('the page lists every format', async () => {
  const listed = [...(await page()).matchAll(/^\| `(\w[\w-]*)` +\|/gm)].map(([, name]) => name);
  expect(listed).toEqual([...setFormats]);
});

it('the lines of the page do what it says', async () => {
  const out = join(await freshFolder(), 'out');
  await mkdir(out);
  const call = async (line: string) => {
    const { io, said, out: printed } = testIo();
    const exit = await cli(
      commands,
      '0',
      line
        .replaceAll(/\bout\//g, `${out}/`)
        .replace(/in out$/, `in ${out}`)
        .split(' '),
      io,
    );
    return { exit, said: said(), printed: printed() };
  };
  const tools = '--tools docs/examples/shop/tools.json';
  await call(
    `simulate --agent seeded ${tools} --mode rl --repeats 8 --repeat-policy fixed --budget 256 --out out/run.jsonl`,
  );
  await call('grade out/run.jsonl --out out/graded.jsonl');
  await call('select out/graded.jsonl --mode rl --lo 0 --hi 1 --out out/selected.jsonl');
  const rows = (await readFile(join(out, 'selected.jsonl'), 'utf8')).trim().split('\n');
  const { rollout_id } = JSON.parse(rows[0] ?? '{}');
  const lines = [...(await page()).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  expect(lines.length).toBe(4);
  for (const line of lines) {
    const { exit, said, printed } = await call(line.replace('tracemill ', '').replace('ROW_ID', rollout_id));
    expect([line, exit, exit === 0 ? '' : said]).toEqual([line, 0, '']);
    if (line.includes(' why ')) expect(printed).toContain('kept by keep-for-rl');
  }
}, 120_000);
