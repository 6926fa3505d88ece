import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { freshFolder } from '../folder.ts';
import { testIo } from './test-io.ts';

async function listening(out: string) {
  const stop = new AbortController();
  const { io, said } = testIo(stop.signal);
  const exit = cli(commands, '0', ['listen', '--out', out, '--port', '0'], io);
  const url = await vi.waitFor(() => {
    const found = /Listening at (\S+),/.exec(said())?.[1];
    if (found === undefined) throw new Error(said());
    return found;
  });
  const end = async () => {
    stop.abort();
    return exit;
  };
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { post, said, end };
}

const call = (n: number, args: string) => ({
  traceId: `${n}`.repeat(32),
  spanId: `${n}`.repeat(16),
  name: 'execute_tool find',
  attributes: Object.entries({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'find',
    'gen_ai.tool.call.arguments': args,
  }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
});

it('a span whose arguments were JSON text in JSON text, seven times and deep, ended it', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const { post, end } = await listening(out);
  let inner = 'sk-ant-api03-abcdefghij1234567890';
  for (let n = 0; n < 7; n++) inner = `${'{"a":'.repeat(990)}${JSON.stringify(inner)}${'}'.repeat(990)}`;
  const spans = [call(1, JSON.stringify({ a: inner })), call(2, '{}')];
  expect((await post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })).status).toBe(200);
  expect(await end()).toBe(0);
  const text = await readFile(out, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(2);
  expect(text).toContain('[anthropic_key:');
  expect(text).not.toContain('abcdefghij');
});
