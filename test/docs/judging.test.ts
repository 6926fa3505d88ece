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
import { rubricFromObject } from '../../src/judges/rubric/rubric.ts';
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
  await writeFile(join(folder, 'rubric.yaml'), blocks('yaml')[1] ?? '');
  await writeFile(join(folder, 'judge.yaml'), blocks('yaml')[0] ?? '');
  const models = createModels({}, { env: { TYPESAFE_API_KEY: 'k' } });
  for (const word of [
    'rubric:rubric.yaml:ollama:qwen3',
    'ollama:qwen3',
    'reward_model:http://host/classify',
    'typesafe:jev-latest',
    'judge.yaml',
    'http://localhost:8000/v1',
    'http://localhost:8000/v1#qwen3',
    'vllm:qwen3@http://localhost:8000/v1',
    'openai:qwen3@http://localhost:8000/v1',
    'ollama:qwen3@http://gpu-box:11434',
    'rubric:rubric.yaml:vllm:qwen3@http://h/v1',
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
    [1, { rubric: expect.objectContaining({ criteria: [expect.objectContaining({ kind: 'hard' })] }) }],
    [1, ['position_bias']],
    [1, expect.arrayContaining(['unmeasured']), expect.any(Boolean)],
  ]);
});

it('the rubric of the page has a criterion of each kind', () => {
  const { criteria } = rubricFromObject(parse(blocks('yaml')[1] ?? ''));
  expect(criteria.map(({ kind, weight }) => [kind, weight])).toEqual([
    ['hard', 1],
    ['principle', 2],
    ['pitfall', 1],
  ]);
});

it('the row of the page is graded, and has every field that its table names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judging-'));
  const row = blocks('jsonl')[0] ?? '';
  await writeFile(join(folder, 'rows.jsonl'), row);
  const { io, said } = testIo();
  const argv = ['grade', join(folder, 'rows.jsonl'), '--judge', 'exact_match', '--out', join(folder, 'g.jsonl')];
  expect([await cli(commands, '0', argv, io), said()]).toEqual([0, expect.stringContaining('1 labels')]);
  expect(JSON.parse(await readFile(join(folder, 'g.jsonl'), 'utf8'))).toMatchObject({ reward: 1 });
  for (const field of Object.keys(JSON.parse(row))) expect(page).toContain(`\`${field}\``);
});
