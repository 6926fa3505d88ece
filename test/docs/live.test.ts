import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { serveCommand } from '../../src/cli/commands/serve.ts';
import { kebab } from '../../src/cli/flags.ts';
import * as tracemill from '../../src/index.ts';
import { openServer } from '../../src/server/index.ts';
import { freshFolder } from '../folder.ts';

const page = await readFile('docs/live.md', 'utf8');

it('every path of the page is answered, and asks for the token', async () => {
  const opened = await openServer({ data: await freshFolder(), token: 'a-token', judge: () => 1 });
  onTestFinished(opened.close);
  const rows = [...page.matchAll(/^\| (`(?:GET|POST) [^|]+)\|/gm)].map(([, cell = '']) => cell);
  const calls = rows.flatMap((cell) => {
    const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const [method = '', path = ''] = first.split(' ');
    const base = path.includes('monitor') ? '/v1/monitor/{run}' : '';
    return [path, ...others.map((one) => (one.startsWith('/runs') ? one : `${base}${one}`))].map(
      (one) => [method, one] as const,
    );
  });
  expect(calls.length).toBeGreaterThan(12);
  for (const [method, path] of calls) {
    const url = path.replaceAll(/\{\w+\}/g, 'some');
    const asked = await opened.app.request(url, { method });
    expect([path, asked.status]).toEqual([path, url === '/healthz' ? 200 : 401]);
    const headers = { 'x-api-key': 'a-token', 'content-type': 'application/json' };
    const answered = await opened.app.request(url, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    const text = path === '/v1/events' ? '' : await answered.text();
    if (path === '/v1/events') await answered.body?.cancel();
    expect(text).not.toContain('nothing is here');
  }
});

it('every flag of the server on the page is one', () => {
  const flags = [...page.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag);
  const known = Object.keys(serveCommand.options.shape).map((name) => `--${kebab(name)}`);
  expect(flags.filter((flag) => !known.includes(flag ?? ''))).toEqual([]);
  expect(flags.length).toBeGreaterThan(4);
});

it('the Python of the page is Python, and imports what is there', async () => {
  const blocks = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  for (const block of blocks) {
    const [imports = ''] = block.split('\n');
    const script = `import ast, sys; sys.path.insert(0, "docs/examples"); ast.parse(sys.argv[1])\n${imports}`;
    await promisify(execFile)('python3', ['-c', script, block]);
  }
  expect(blocks).toHaveLength(2);
});

it('the TypeScript of the page runs, and its monitor stops the run', async () => {
  const [block = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text);
  const code = block.replace(/^import \{(.*)\} from 'tracemill';$/m, 'const {$1} = tracemill;');
  const { code: plain } = await transform(code, { loader: 'ts' });
  const said: string[] = [];
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction('tracemill', 'console', plain)(tracemill, { log: (line: string) => said.push(line) });
  expect(said[0]).toBe('drift at step 10: KL 1 is past its budget of 0.5');
  expect(said.slice(1).map((line) => line.split(' ')[0])).toEqual(['blind']); // one ask shows no divergence
});
