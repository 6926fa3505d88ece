import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brokerScript } from './broker.ts';

const call = promisify(execFile);
const login = 'org.apache.kafka.common.security';

export const user = { name: 'mill', password: 'only for this test' };

/**
 * A broker that lets in who comes over TLS with a user and a password (PLAIN and SCRAM-SHA-512). Beside it stands a listener
 * for anybody, which the broker itself needs. Its certificate is signed by itself: `ca` is the file to trust.
 */
export async function startSecureBroker() {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-secure-'));
  const [store, ca, data] = [join(folder, 'keys.p12'), join(folder, 'ca.pem'), join(folder, 'data')];
  const key = ['-keystore', store, '-storetype', 'PKCS12', '-storepass', 'changeit', '-alias', 'broker'];
  const who = ['-dname', 'CN=localhost', '-ext', 'SAN=ip:127.0.0.1,dns:localhost', '-validity', '2'];
  await call('keytool', ['-genkeypair', ...key, '-keyalg', 'RSA', ...who]);
  await call('keytool', ['-exportcert', '-rfc', ...key, '-file', ca]);
  const [open = 0, controller = 0, secure = 0] = await freePorts(3);
  const at = (name: string, port: number) => `${name}://127.0.0.1:${port}`;
  const plain = `${login}.plain.PlainLoginModule required user_${user.name}="${user.password}";`;
  const properties = [
    `listeners=${at('PLAINTEXT', open)},${at('CONTROLLER', controller)},${at('SECURE', secure)}`,
    `advertised.listeners=${at('PLAINTEXT', open)},${at('SECURE', secure)}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
    `ssl.keystore.location=${store}`,
    'ssl.keystore.type=PKCS12',
    'ssl.keystore.password=changeit',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
    `listener.name.secure.plain.sasl.jaas.config=${plain}`,
    `listener.name.secure.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
  ].flatMap((property) => ['--prop', property]);
  const ports = ['--port', String(open), '--controller-port', String(controller)];
  await brokerScript('kafka-up', [...ports, '--data', data, ...properties]);
  await addScramUser(`127.0.0.1:${open}`);
  return {
    /** The one listener to be tested. */
    address: `127.0.0.1:${secure}`,
    ca,
    async stop() {
      await brokerScript('kafka-down', ['--data', data, '--wipe']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addScramUser(address: string): Promise<void> {
  const cache = process.env['TRACEMILL_KAFKA_CACHE'] ?? join(process.env['HOME'] ?? '', '.cache/tracemill-kafka');
  const jars = process.env['KAFKA_LIB'] ?? join(cache, '4.2.0');
  const entity = ['--entity-type', 'users', '--entity-name', user.name];
  const config = ['--alter', '--add-config', `SCRAM-SHA-512=[password=${user.password}]`];
  const tool = ['-cp', `${jars}/*`, 'kafka.admin.ConfigCommand', '--bootstrap-server', address];
  await call('java', [...tool, ...entity, ...config]);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
