import { Kafka, logLevel } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';
import type { BusOptions } from './kafka-bus.ts';

/**
 * Make sure that one of the brokers answers and lets us in, before anything waits for it: the clients of a run try for
 * minutes. Takes 10 seconds at most.
 *
 * @throws TM_SOURCE - `unreachable` or `refused`; the message names the brokers and what to look at, never a password
 */
export async function reachBrokers({ brokers, clientId = 'tracemill', ssl, sasl }: BusOptions): Promise<void> {
  const admin = new Kafka({
    clientId,
    brokers: [...brokers],
    connectionTimeout: 2000,
    authenticationTimeout: 4000,
    requestTimeout: 4000,
    retry: { initialRetryTime: 100, retries: 1 },
    logLevel: logLevel.NOTHING,
    ...(ssl !== undefined && { ssl }),
    ...(sasl !== undefined && { sasl }),
  }).admin();
  let late: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${boundMs / 1000} seconds`)), boundMs);
  });
  try {
    await Promise.race([admin.connect().then(() => admin.describeCluster()), bound]);
  } catch (cause) {
    throw failure(brokers, cause, { isSsl: ssl !== undefined && ssl !== false, isSasl: sasl !== undefined });
  } finally {
    clearTimeout(late);
    void admin.disconnect().catch(() => {}); // nobody waits for it
  }
}

const boundMs = 10_000;

function failure(
  brokers: readonly string[],
  cause: unknown,
  { isSsl, isSasl }: { readonly isSsl: boolean; readonly isSasl: boolean },
): TracemillError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const isRefused = /SASL|authenti/i.test(`${(cause as Error).name} ${said}`);
  const advice = isRefused
    ? 'look at the SASL mechanism, the user and the password'
    : `is the address right and the broker up? TLS is ${isSsl ? 'on' : 'off'}, SASL ${isSasl ? 'on' : 'off'}`;
  const reason = isRefused ? 'refused' : 'unreachable';
  const what = isRefused ? 'do not let us in' : 'cannot be reached';
  return new TracemillError('TM_SOURCE', `brokers ${brokers.join(', ')} ${what} (${said}): ${advice}`, { reason });
}
