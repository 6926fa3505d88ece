import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRunConfig } from '../../src/cli/run-config.ts';

const env = { PASSWORD: 'hunter2', HOST: 'kafka' };
async function read(text: string, name = 'tracemill.yaml') {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-config-'));
  await writeFile(join(folder, name), text);
  return readRunConfig(join(folder, name), env);
}

it('reads YAML and JSON alike, and fills in what the environment holds', async () => {
  const yaml = 'pipeline: evaluate\nin: rows.jsonl\nkafka:\n  brokers: ["${HOST}:9092"]\n';
  const { config, folder } = await read(yaml);
  expect(config).toMatchObject({ pipeline: 'evaluate', in: 'rows.jsonl', kafka: { brokers: ['kafka:9092'] } });
  expect(
    (
      await read(
        JSON.stringify({ pipeline: 'evaluate', in: 'rows.jsonl', kafka: { brokers: ['kafka:9092'] } }),
        'run.json',
      )
    ).config,
  ).toEqual(config);
  expect(folder).toMatch(/tracemill-config-\w+$/);
});

it.each([
  ['a key nobody knows', 'pipelin: evaluate', /pipelin/],
  ['a key nobody knows, deep down', 'kafka:\n  broker: [a:1]', /broker[^s][\s\S]*at kafka/],
  ['a value out of range', 'kafka:\n  sessionTimeoutMs: 10', /6000[\s\S]*kafka\.sessionTimeoutMs/],
  ['no YAML', 'a: [1', /neither YAML nor JSON/],
  [
    'a variable that is not set',
    'kafka:\n  sasl: {username: me, password: "${NO_SUCH}"}',
    /kafka\.sasl\.password: the variable NO_SUCH/,
  ],
])('%s is a wrong call that names the file and the place', async (_name, text, words) => {
  const failed = await read(text).catch((error: Error) => error);
  expect(String(failed)).toMatch(/TM_OPTIONS: \S+tracemill\.yaml: /);
  expect(String(failed)).toMatch(words);
});

it('what is wrong beside a secret does not show the secret', async () => {
  const text = 'kafka:\n  sasl: {username: me, password: "${PASSWORD}", mechanism: none}';
  expect(String(await read(text).catch((error: Error) => error))).not.toContain('hunter2');
});

it('a file that is not there is a wrong call; none at all is an empty config', async () => {
  await expect(readRunConfig('/no/such.yaml', env)).rejects.toThrow('TM_OPTIONS: /no/such.yaml: it cannot be read');
  expect((await readRunConfig(undefined, env)).config).toEqual({ options: {}, kafka: {} });
});
