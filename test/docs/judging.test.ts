import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import * as tracemill from '../../src/index.ts';
import { judgeFromSpec } from '../../src/judges/from-spec.ts';
import { judgeSpecSchema } from '../../src/judges/judge-spec.ts';
import { createModels } from '../../src/models/models.ts';
import { testIo } from '../cli/test-io.ts';

const page = await readFile('docs/judging.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

it('every command line of the page is one that its command takes', async () => {
  const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) {
    const { io, said } = testIo();
    await cli(commands, '0', line.split(' ').slice(1), io); // its files are not there: that is all it may complain of
    expect(said(), line).not.toMatch(/unknown (option|command)|required|Usage:/i);
  }
});

it('the words of the table name judges', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judging-'));
  await writeFile(join(folder, 'rubric.yaml'), '- {title: Says where}');
  await writeFile(join(folder, 'judge.yaml'), blocks('yaml')[0] ?? '');
  const models = createModels({}, { env: { TYPESAFE_API_KEY: 'k', OPENAI_API_KEY: 'k' } });
  for (const word of [
    'rubric:rubric.yaml:ollama:qwen3',
    'ollama:qwen3',
    'reward_model:http://host/classify',
    'typesafe:jev-latest',
    'judge.yaml',
  ])
    expect(page.includes(word) && (await judgeFromSpec(word, { cwd: folder, models }))).toHaveProperty('judge');
  expect(judgeSpecSchema.safeParse(parse(blocks('yaml')[0] ?? '')).success).toBe(true);
});

it('the code of the page runs', async () => {
  const said: unknown[][] = [];
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  for (const block of blocks('ts')) {
    const code = block.replace(/^import \{(.*)\} from 'tracemill';$/m, 'const {$1} = tracemill;');
    await new AsyncFunction('tracemill', 'console', code)(tracemill, {
      log: (...words: unknown[]) => said.push(words),
    });
  }
  expect(said).toEqual([
    [1, expect.objectContaining({ verifier: 'CodeExec' })],
    [1, expect.objectContaining({ verifier: 'SQLExec' })],
    [1, expect.arrayContaining(['unmeasured']), expect.any(Boolean)],
  ]);
});
