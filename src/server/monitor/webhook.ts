import { createHmac } from 'node:crypto';
import { type LookupAddress, lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { parseOptions } from '../../core/operator.ts';
import { type Alarm, alarmId } from '../../rows/alarm.ts';
import { isPublicAddress } from './public-address.ts';

const options = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('Where alarms are posted.'),
  secret: z.string().min(8).describe('Key of the signature.'),
  allowPrivate: z.boolean().default(false).describe('Let it be an address of this machine or its networks.'),
  tries: z.int().min(1).default(5).describe('Times that an alarm is sent before it is given up.'),
  firstRetryMs: z.int().min(0).default(500).describe('Wait before the second time; it doubles.'),
  timeoutMs: z.int().min(1).default(5000).describe('Time that an answer may take, in ms.'),
  maxWaiting: z.int().min(1).default(1000).describe('Alarms that may wait; the oldest is given up first.'),
});
export type WebhookOptions = z.input<typeof options>;

interface Ports {
  readonly clock: Clock;
  readonly say?: (line: string) => void;
  /** Asks for the addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/** Posts alarms to a service. */
export interface Webhook {
  send(alarm: Alarm): void;
  counts(): Readonly<Record<'sent' | 'given_up', number>>;
  /** Wait until nothing waits, or so long at most: what waits then is given up. */
  idle(maxMs?: number): Promise<void>;
}

/**
 * Post each alarm as JSON, signed: `x-tracemill-signature: t=<ms>,v1=<hex>` is HMAC-SHA256 over `<ms>.<body>`, and
 * `x-tracemill-id` is the same for every try. Redirects are not followed. The address that a name is looked up to is the one
 * that is connected to, so that a name cannot be public when it is checked and private when it is used.
 *
 * @throws TM_OPTIONS - the address is no http address, or is private by what it says
 */
export function webhook(given: WebhookOptions, { clock, say = () => {}, resolve = addressesOf }: Ports): Webhook {
  const settings = parseOptions('webhook', options, given);
  const url = new URL(settings.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.username !== '' || url.password !== '') throw wrong('a password in the address would be logged');
  if (!settings.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw wrong(`${host} is private; --allow-private-webhook lets it be`);
  const waiting: Alarm[] = [];
  const counts = { sent: 0, given_up: 0 };
  let working = Promise.resolve();
  let isWorking = false;
  let retry: NodeJS.Timeout | undefined;

  const attempt = async (alarm: Alarm): Promise<'sent' | 'again' | 'refused'> => {
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    if (addresses.length === 0) return 'again';
    const [address = ''] = addresses;
    if (!settings.allowPrivate && !addresses.every(isPublicAddress)) {
      say(`The webhook ${url.host} leads to a private address; --allow-private-webhook lets it be.`);
      return 'refused';
    }
    const status = await post(url, address, headersOf(alarm, settings.secret, clock()), settings.timeoutMs);
    if (status >= 200 && status < 300) return 'sent';
    return status === 0 || status === 408 || status === 429 || status >= 500 ? 'again' : 'refused';
  };
  const deliver = async (alarm: Alarm): Promise<void> => {
    for (let n = 0; n < settings.tries; n++) {
      if (n > 0)
        await new Promise((done) => {
          retry = setTimeout(done, settings.firstRetryMs * 2 ** (n - 1));
        });
      const outcome = await attempt(alarm);
      if (outcome === 'sent') {
        counts.sent++;
        return;
      }
      if (outcome === 'refused') break;
    }
    counts.given_up++;
    say(`The alarm ${alarmId(alarm)} could not be posted to ${url.host}.`);
  };
  const work = async (): Promise<void> => {
    for (let alarm = waiting.shift(); alarm; alarm = waiting.shift()) await deliver(alarm);
    isWorking = false;
  };
  return {
    send(alarm) {
      waiting.push(alarm);
      if (waiting.length > settings.maxWaiting) {
        waiting.shift();
        counts.given_up++;
      }
      if (isWorking) return;
      isWorking = true;
      working = work();
    },
    counts: () => ({ ...counts }),
    idle: async (maxMs) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((done) => {
        if (maxMs !== undefined) timer = setTimeout(giveUp, maxMs);
        function giveUp(): void {
          counts.given_up += waiting.length;
          waiting.length = 0;
          retry?.unref(); // nobody waits for it any more, nor does the process
          done();
        }
      });
      await Promise.race([working, late]);
      clearTimeout(timer);
    },
  };
}

const wrong = (what: string) => new TracemillError('TM_OPTIONS', `webhook: ${what}`);

function headersOf(alarm: Alarm, secret: string, now: number) {
  const body = stringifyJson(alarm);
  const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-tracemill-id': encodeURIComponent(alarmId(alarm)),
    'x-tracemill-signature': `t=${now},v1=${signature}`,
  };
  return { body, headers };
}

/** The status that answered; 0 when nothing did. */
function post(
  url: URL,
  address: string,
  { body, headers }: ReturnType<typeof headersOf>,
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve) => {
    const pinned = { address, family: isIP(address) };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const asked = send(url, {
      method: 'POST',
      headers,
      agent: false,
      timeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: (_name, { all }, done) =>
        all ? done(null, [pinned] as LookupAddress[]) : done(null, address, pinned.family),
    });
    asked.on('response', (answer) => {
      answer.resume(); // what it says is of no use
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', () => resolve(0));
    asked.end(body);
  });
}

const addressesOf = (name: string) =>
  new Promise<readonly string[]>((resolve, reject) =>
    lookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    ),
  );
