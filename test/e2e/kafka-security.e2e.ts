import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';
import { freshFolder } from '../folder.ts';
import { startSecureBroker, user } from './secure-broker.ts';

let broker: Awaited<ReturnType<typeof startSecureBroker>>;
beforeAll(async () => {
  broker = await startSecureBroker();
}, 180_000);
afterAll(() => broker.stop(), 60_000);
afterEach(() => void vi.unstubAllEnvs());

async function call(...argv: string[]) {
  const { io, said, out } = testIo();
  const code = await cli(commands, '0', argv, io);
  return { code, said: said(), out: out() };
}
const flags = (mechanism: string) => [
  ...['--brokers', broker.address, '--tls-ca', broker.ca],
  ...['--sasl-mechanism', mechanism, '--sasl-username', user.name],
];

it.each(['plain', 'scram-sha-512'])('runs a pipeline over TLS as a user it knows by %s', async (mechanism) => {
  vi.stubEnv('TRACEMILL_SASL_PASSWORD', user.password);
  const folder = await freshFolder();
  const rows = Array.from({ length: 40 }, (_, n) => ({ scenario_id: `s${n}`, rollout_id: `r${n}`, prompt: 'p' }));
  await writeFile(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(join(folder, 'judge.mjs'), 'export default () => 1;');
  const out = join(folder, 'graded.jsonl');
  const places = ['--in', join(folder, 'rows.jsonl'), '--judge', join(folder, 'judge.mjs'), '--out', out];
  const where = ['--bus', 'kafka', '--prefix', mechanism, ...flags(mechanism)];
  expect(await call('run', 'evaluate', ...where, ...places)).toMatchObject({ code: 0 });
  expect((await readFile(out, 'utf8')).trimEnd().split('\n')).toHaveLength(40);
  const lag = await call(
    'topics',
    'lag',
    '--pipeline',
    'evaluate',
    '--prefix',
    mechanism,
    '--json',
    ...flags(mechanism),
  );
  expect(lag).toMatchObject({ code: 0 });
  expect(lag.out).toContain(`${mechanism}.judge`);
});

it('says that the broker does not let in who has a wrong password', async () => {
  vi.stubEnv('TRACEMILL_SASL_PASSWORD', 'wrong');
  const { code, said } = await call('topics', 'describe', '--prefix', 'x', ...flags('plain'));
  expect(code).toBe(3);
  expect(said).toMatch(/do not let us in .*look at the SASL mechanism, the user and the password/);
  expect(said).not.toContain('wrong)');
});

it('says what is off when it is asked without TLS, or by a broker that nobody vouches for', async () => {
  vi.stubEnv('TRACEMILL_SASL_PASSWORD', user.password);
  const open = await call('topics', 'describe', '--prefix', 'x', '--brokers', broker.address);
  expect(open).toMatchObject({ code: 3, said: expect.stringMatching(/TLS is off, SASL off/) });
  const unknown = await call('topics', 'describe', '--prefix', 'x', '--brokers', broker.address, '--tls');
  expect(unknown).toMatchObject({ code: 3, said: expect.stringMatching(/self.signed certificate/) });
});
