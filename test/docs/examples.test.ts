import { execFile } from 'node:child_process';
import { mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';

const run = promisify(execFile);
const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

it.each(['quick-start.ts', 'agent.mjs', 'judge.mjs'])('the README shows %s as it stands in its file', async (file) => {
  const readme = await readFile('README.md', 'utf8');
  const text = await readFile(`docs/examples/${file}`, 'utf8');
  expect(readme).toContain(`\`\`\`${file.endsWith('.ts') ? 'ts' : 'js'}\n${text}\`\`\``);
});

it('the agent and the judge of the README play and grade', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-own-'));
  const { io, said } = testIo();
  const own = [
    '--agent',
    'docs/examples/agent.mjs',
    '--judge',
    'docs/examples/judge.mjs',
    '--tools',
    'docs/examples/shop/tools.json',
  ];
  const out = join(folder, 'run.jsonl');
  expect([await cli(commands, '0', ['simulate', ...own, '--budget', '20', '--out', out], io), said()]).toEqual([
    0,
    expect.any(String),
  ]);
  const rows = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.length).toBe(20);
  expect(new Set(rows.map(({ reward }) => reward))).toEqual(new Set([0, 1]));
});

it('the quick start runs, prints pass@1 with its interval and writes its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-quick-'));
  // `tracemill` is this package: its sources stand in for the built ones
  const index = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);
  const resolve = `export const resolve = (name, context, next) => next(name === 'tracemill' ? ${index} : name, context);`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asModule(resolve))});`;
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const script = join(process.cwd(), 'docs/examples/quick-start.ts');
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--import', asModule(register), script], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^64 rows, pass@1 0\.\d+ in 0\.\d+,0\.\d+\n$/);
  const lines = (await readFile(join(folder, 'train.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.length).toBeLessThan(64);
}, 60_000);

it('every example of --help is a line that the command line takes', async () => {
  for (const { name, examples } of commands)
    for (const line of examples) {
      const [program, ...argv] = line.replaceAll('"', '').split(' ');
      expect([program, ...argv.slice(0, name.split(' ').length)].join(' ')).toBe(`tracemill ${name}`);
      const { io, said } = testIo();
      await cli(
        commands.map((command) => ({ ...command, run: async () => 0 as const })),
        '0',
        argv,
        io,
      );
      expect(said()).toBe('');
    }
});
