import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';
import { freshFolder } from '../folder.ts';

const run = promisify(execFile);

it('the lines of the page do what it says', async () => {
  const page = await readFile('docs/receiving-traces.md', 'utf8');
  const [listen = '', ...requests] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const out = join(await freshFolder(), 'traces.jsonl');
  const stop = new AbortController();
  const { io, said } = testIo(stop.signal);
  const argv = listen.trim().replace('out/traces.jsonl', out).split(' ').slice(1);
  const exit = cli(commands, '0', [...argv, '--port', '0'], io);
  const url = await vi.waitFor(() => {
    const found = /Listening at (\S+),/.exec(said())?.[1];
    if (found === undefined) throw new Error(said());
    return found;
  });
  const answers = [];
  for (const line of requests)
    answers.push((await run('bash', ['-c', line.replace('http://127.0.0.1:4318', url)])).stdout);
  expect(answers).toEqual(['{}', '{"accepted":1,"rejected":[]}']);
  stop.abort();
  expect(await exit).toBe(0);
  const rows = (await readFile(out, 'utf8')).trim().split('\n');
  expect(rows.map((row) => JSON.parse(row)).at(-1)).toMatchObject({
    ...{ prompt: 'Where is it?', final_text: 'Here.', reward: 1, markers: { reward: 1 } },
  });
});

it.each(['collector.yaml', 'collector-to-listen.yaml'])('%s uses what it declares, all of it', async (file) => {
  const { service, ...declared } = parse(await readFile(`docs/examples/${file}`, 'utf8'));
  for (const kind of ['receivers', 'processors', 'exporters']) {
    const used = Object.values(service.pipelines).flatMap((one) => (one as Record<string, string[]>)[kind] ?? []);
    expect(new Set(used)).toEqual(new Set(Object.keys(declared[kind] ?? {})));
  }
});
