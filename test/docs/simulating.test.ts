import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import * as tracemill from '../../src/index.ts';
import { simulateOptionsSchema } from '../../src/pipelines/simulate/options.ts';
import { testIo } from '../cli/test-io.ts';

const page = await readFile('docs/simulating.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');

it('every command line of the page is one that its command takes', async () => {
  const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));
  expect(lines.length).toBe(5);
  for (const line of lines) {
    const { io, said } = testIo();
    const argv = line.replaceAll('out/', 'out/docs/').split(' ').slice(1);
    await cli(commands, '0', argv, io); // its files and keys are not there: that is all it may complain of
    expect(said(), line).not.toMatch(/unknown (option|command)|required|Usage:/i);
  }
});

it('the code of the page runs', async () => {
  const said: unknown[][] = [];
  const code = (blocks('ts')[0] ?? '').replace(/^import \{(.*)\} from 'tracemill';$/m, 'const {$1} = tracemill;');
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction('tracemill', 'console', code)(tracemill, { log: (...words: unknown[]) => said.push(words) });
  expect(said).toEqual([
    [40, 'budget', expect.any(Number)],
    ['trace', 20],
  ]);
});

it('the options of the table are options', () => {
  const table = page.slice(page.indexOf('| role'), page.indexOf('A folder describes'));
  const named = [...table.matchAll(/^\|[^|]+\| `(\w+)`/gm)].map(([, name]) => String(name));
  expect(named).toEqual(['agent', 'simulator', 'userModel', 'grader', 'llmGrade']);
  for (const name of named) expect(simulateOptionsSchema.shape).toHaveProperty(name);
});
