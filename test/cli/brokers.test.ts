import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type BrokerFlags, busOptions } from '../../src/cli/brokers.ts';
import { runConfigSchema } from '../../src/cli/run-config.ts';
import { reachBrokers } from '../../src/sources/kafka-reach.ts';

const none = { tls: false } as BrokerFlags;
const found = (kafka: object = {}, folder = '/') => ({ config: runConfigSchema.parse({ kafka }), folder });

it('a flag wins over the environment, which wins over the config', async () => {
  const config = found({ brokers: ['config:1'], clientId: 'me', sessionTimeoutMs: 7000 });
  expect(await busOptions(none, config, {})).toEqual({ brokers: ['config:1'], clientId: 'me', sessionTimeoutMs: 7000 });
  expect((await busOptions(none, config, { TRACEMILL_BROKERS: 'env:1' })).brokers).toEqual(['env:1']);
  const both = await busOptions({ ...none, brokers: 'a:1, b:2' }, config, { TRACEMILL_BROKERS: 'env:1' });
  expect(both.brokers).toEqual(['a:1', 'b:2']);
});

it('a user has a password from the environment, and none on the command line', async () => {
  const flags = { ...none, brokers: 'a:1', saslUsername: 'jo' };
  await expect(busOptions(flags, found(), {})).rejects.toThrow(/jo has no password: set TRACEMILL_SASL_PASSWORD/);
  const { sasl } = await busOptions(flags, found(), { TRACEMILL_SASL_PASSWORD: 'hunter2' });
  expect(sasl).toEqual({ mechanism: 'scram-sha-512', username: 'jo', password: 'hunter2' });
  const config = found({ brokers: ['a:1'], sasl: { username: 'mo', password: 'p', mechanism: 'plain' } });
  expect((await busOptions(none, config, {})).sasl).toEqual({ mechanism: 'plain', username: 'mo', password: 'p' });
  await expect(busOptions({ ...none, brokers: 'a:1', saslMechanism: 'plain' }, found(), {})).rejects.toThrow(/no user/);
});

it('certificates of the config lie beside the config', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-tls-'));
  await writeFile(join(folder, 'ca.pem'), 'the authority');
  const config = found({ brokers: ['a:1'], tls: { ca: 'ca.pem' } }, folder);
  expect((await busOptions(none, config, {})).ssl).toEqual({ ca: 'the authority' });
  expect((await busOptions({ ...none, tls: true }, found({ brokers: ['a:1'] }), {})).ssl).toBe(true);
  const lost = { ...none, brokers: 'a:1', tlsCa: '/no/ca.pem' };
  await expect(busOptions(lost, found(), {})).rejects.toThrow(/TM_OPTIONS: tls ca: \/no\/ca.pem cannot be read/);
});

it('no brokers at all is a wrong call', async () => {
  await expect(busOptions(none, found(), {})).rejects.toThrow(/TM_OPTIONS: no brokers/);
  await expect(busOptions({ ...none, brokers: 'a:1,' }, found(), {})).rejects.toThrow(/TM_OPTIONS: no brokers/);
});

it('brokers that refuse or never answer are told as unreachable, without the password', async () => {
  const sasl = { mechanism: 'plain', username: 'jo', password: 'hunter2' } as const;
  const closed = await reachBrokers({ brokers: ['127.0.0.1:1'], sasl }).catch((error: unknown) => error);
  expect(closed).toMatchObject({ code: 'TM_SOURCE', reason: 'unreachable' });
  expect(String(closed)).toMatch(/127\.0\.0\.1:1 cannot be reached.*SASL on/);
  expect(JSON.stringify(closed) + String(closed)).not.toContain('hunter2');
  const silent = createServer(() => {}); // takes the connection and says nothing
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  await expect(reachBrokers({ brokers: [`127.0.0.1:${port}`] })).rejects.toMatchObject({ reason: 'unreachable' });
  silent.close();
});
