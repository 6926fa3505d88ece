import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { type BusOptions, type KafkaBus, kafkaBus } from '../sources/kafka-bus.ts';
import { reachBrokers } from '../sources/kafka-reach.ts';
import type { FoundConfig, KafkaConfig } from './run-config.ts';

/** Flags of every command that talks to brokers. A password is no flag: other users of the machine would see it. */
export const brokerFlags = {
  brokers: z
    .string()
    .min(1)
    .optional()
    .describe('Kafka brokers, host:port, with commas between; also TRACEMILL_BROKERS or kafka.brokers of the config.'),
  tls: z.boolean().default(false).describe('Encrypt the connections.'),
  tlsCa: z.string().optional().describe('File of the authority that signed the brokers; says --tls.'),
  tlsCert: z.string().optional().describe('File of our certificate; says --tls.'),
  tlsKey: z.string().optional().describe('File of its key.'),
  saslMechanism: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('How we say who we are; scram-sha-512 when only a user is given.'),
  saslUsername: z
    .string()
    .optional()
    .describe('Our user; the password is read from TRACEMILL_SASL_PASSWORD or the config.'),
};
export type BrokerFlags = z.output<z.ZodObject<typeof brokerFlags>>;
type Env = Readonly<Record<string, string | undefined>>;

/** The brokers that are named: flags win over the environment, which wins over the config. None where nothing names one. */
export function brokersNamed(
  flags: Pick<BrokerFlags, 'brokers'>,
  { config }: FoundConfig,
  env: Env,
): readonly string[] {
  const list = flags.brokers ?? env['TRACEMILL_BROKERS'];
  return list?.split(',').map((one) => one.trim()) ?? config.kafka.brokers ?? [];
}

/**
 * Settle how the brokers are reached: flags win over the environment, which wins over the config.
 *
 * @throws TM_OPTIONS - no brokers, a user without a password, a file that cannot be read
 */
export async function busOptions(flags: BrokerFlags, found: FoundConfig, env: Env): Promise<BusOptions> {
  const { config, folder } = found;
  const { kafka } = config;
  const brokers = [...brokersNamed(flags, found, env)];
  if (brokers.length === 0 || brokers.includes(''))
    throw wrong('no brokers are given: --brokers host:port, TRACEMILL_BROKERS, or kafka.brokers of the config');
  const ssl = await sslOf(flags, kafka, folder);
  const sasl = saslOf(flags, kafka, env);
  const { clientId, sessionTimeoutMs, rebalanceTimeoutMs } = kafka;
  return {
    brokers,
    ...(clientId !== undefined && { clientId }),
    ...(sessionTimeoutMs !== undefined && { sessionTimeoutMs }),
    ...(rebalanceTimeoutMs !== undefined && { rebalanceTimeoutMs }),
    ...(ssl !== undefined && { ssl }),
    ...(sasl !== undefined && { sasl }),
  };
}

/**
 * Open the bus once a broker has answered.
 *
 * @throws TM_OPTIONS - see `busOptions`
 * @throws TM_SOURCE - no broker answers within 10 seconds, or none lets us in
 */
export async function openBus(flags: BrokerFlags, found: FoundConfig): Promise<KafkaBus> {
  const options = await busOptions(flags, found, process.env);
  await reachBrokers(options);
  return kafkaBus(options);
}

async function sslOf(flags: BrokerFlags, { tls }: KafkaConfig, folder: string): Promise<BusOptions['ssl']> {
  const own = typeof tls === 'object' ? tls : {};
  const files = {
    ca: flags.tlsCa ?? placed(folder, own.ca),
    cert: flags.tlsCert ?? placed(folder, own.cert),
    key: flags.tlsKey ?? placed(folder, own.key),
  };
  const named = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (named.length === 0) return flags.tls || tls === true || typeof tls === 'object' ? true : undefined;
  const read = named.map(async ([name, path]) => [name, await readFile(path, 'utf8').catch(refuse(name, path))]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

const placed = (folder: string, path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
const refuse = (name: string, path: string) => (cause: unknown) => {
  throw wrong(`tls ${name}: ${path} cannot be read`, cause);
};

function saslOf(flags: BrokerFlags, { sasl }: KafkaConfig, env: Env): BusOptions['sasl'] {
  const username = flags.saslUsername ?? env['TRACEMILL_SASL_USERNAME'] ?? sasl?.username;
  if (username === undefined) {
    if (flags.saslMechanism !== undefined) throw wrong('--sasl-mechanism: no user is given: --sasl-username');
    return undefined;
  }
  const password = env['TRACEMILL_SASL_PASSWORD'] ?? sasl?.password;
  if (!password) throw wrong(`sasl: the user ${username} has no password: set TRACEMILL_SASL_PASSWORD`);
  const mechanism = flags.saslMechanism ?? sasl?.mechanism ?? 'scram-sha-512';
  return { mechanism, username, password } as NonNullable<BusOptions['sasl']>; // its type is one for each mechanism, all alike
}

const wrong = (what: string, cause?: unknown) => new TracemillError('TM_OPTIONS', what, { cause });
