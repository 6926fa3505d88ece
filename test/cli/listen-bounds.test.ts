import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../folder.ts';
import { listening, post } from './listening.ts';

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
  const { url, end } = await listening(out);
  let inner = 'sk-ant-api03-abcdefghij1234567890';
  for (let n = 0; n < 7; n++) inner = `${'{"a":'.repeat(990)}${JSON.stringify(inner)}${'}'.repeat(990)}`;
  const spans = [call(1, JSON.stringify({ a: inner })), call(2, '{}')];
  expect((await post(url, '/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })).status).toBe(200);
  expect(await end()).toBe(0);
  const text = await readFile(out, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(2);
  expect(text).toContain('[anthropic_key:');
  expect(text).not.toContain('abcdefghij');
});
