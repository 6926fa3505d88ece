import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { listening } from '../server/listening.ts';

const home = '.cache/otlp-exporters';
const python = `${home}/bin/python`;
const packages = [
  'opentelemetry-sdk==1.45.2',
  'opentelemetry-exporter-otlp-proto-http==1.45.2',
  'opentelemetry-instrumentation-openai==0.62.4',
  'openinference-instrumentation-openai==0.1.66',
  'openai==3.57.0',
];

beforeAll(() => {
  const imports = 'import openai, openinference.instrumentation.openai, opentelemetry.instrumentation.openai';
  if (existsSync(python) && spawnSync(python, ['-c', imports]).status === 0) return;
  for (const [command, args] of [
    ['python3', ['-m', 'venv', '--clear', home]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]],
  ] as const) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
}, 300_000);

it.each([
  ['none', 'none'],
  ['none', 'deflate'],
  ['openllmetry', 'gzip'],
  ['openinference', 'none'],
])('takes what Python sends, instrumented by %s, compression %s', async (how, compression) => {
  const { url, requests, end } = await listening();
  const child = spawn(python, ['test/e2e/otlp-exporters.py', how, url, compression], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const rows = await end();
  if (process.env['RECORD_EXPORTERS'] && compression !== 'deflate')
    await writeFile(
      `test/fixtures/otlp/python-${how}.json`,
      `${JSON.stringify(requests.map(({ body, ...head }) => ({ ...head, body: Buffer.from(body).toString('base64') })))}\n`,
    ); // for test/dialects/otlp/recorded.test.ts
  expect(new Set(requests.map(({ encoding }) => encoding || 'none'))).toEqual(new Set([compression]));
  const call = { tool: 'find', arguments: { id: 7 }, result: 'shelf' };
  expect(rows).toMatchObject([
    {
      ...{ prompt: 'Where is it?', final_text: 'Here.', conversation_id: 'c' },
      ...(how !== 'none' && { steps: [call], usage: { input_tokens: 20, output_tokens: 10 } }),
    },
  ]);
});
