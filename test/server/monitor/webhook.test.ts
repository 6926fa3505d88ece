import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Alarm } from '../../../src/rows/alarm.ts';
import { isPublicAddress } from '../../../src/server/monitor/public-address.ts';
import { webhook } from '../../../src/server/monitor/webhook.ts';
import { openServer } from '../../../src/server/open-server.ts';
import { freshFolder } from '../../folder.ts';

const alarm: Alarm = { type: 'alarm', run_id: 'a', step: 10, kind: 'drift', reason: 'KL 3 is past 1' };
const secret = 'a secret of this test';

/** A service that answers with these statuses, the last one from then on. */
async function receiver(...statuses: number[]) {
  const got: { readonly body: string; readonly headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      got.push({ body, headers: request.headers });
      response.writeHead(statuses.length > 1 ? (statuses.shift() ?? 200) : (statuses[0] ?? 200), {
        location: '/elsewhere',
      });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, port: (server.address() as AddressInfo).port };
}
const soon = { firstRetryMs: 1, secret };

it('a webhook that is away does not keep a server from ending', async () => {
  const { port } = await receiver(503);
  const slow = { secret, firstRetryMs: 60_000, url: `http://127.0.0.1:${port}/hook`, allowPrivate: true };
  const hook = webhook(slow, { clock: () => 7 });
  for (let n = 0; n < 3; n++) hook.send(alarm);
  await hook.idle(20); // the test ends, or times out
  expect(hook.counts()).toEqual({ sent: 0, given_up: 2 }); // the first one is on its way
});

it('a private address names the flag that lets it be', () => {
  const made = () => webhook({ ...soon, url: 'http://10.0.0.1/hook' }, { clock: () => 7 });
  expect(made).toThrow('--allow-private-webhook');
});

it('posts an alarm signed, and again until it is taken', async () => {
  const { got, port } = await receiver(503, 429, 200);
  const hook = webhook({ ...soon, url: `http://127.0.0.1:${port}/hook`, allowPrivate: true }, { clock: () => 7 });
  hook.send(alarm);
  await hook.idle();
  expect([got.length, hook.counts()]).toEqual([3, { sent: 1, given_up: 0 }]);
  const { body = '', headers = {} } = got[2] ?? {};
  expect(JSON.parse(body)).toEqual(alarm);
  const signed = createHmac('sha256', secret).update(`7.${body}`).digest('hex');
  expect(headers).toMatchObject({ 'x-tracemill-signature': `t=7,v1=${signed}`, 'x-tracemill-id': 'a%23drift%2310' });
});

it('gives up what is refused, follows no redirect, and says so once', async () => {
  const { got, port } = await receiver(302);
  const said: string[] = [];
  const hook = webhook(
    { ...soon, url: `http://127.0.0.1:${port}/hook`, allowPrivate: true },
    { clock: () => 7, say: (line) => said.push(line) },
  );
  hook.send(alarm);
  await hook.idle();
  expect([got.length, hook.counts().given_up, said.length]).toEqual([1, 1, 1]);
});

it('posts to no private address, whatever the name says', async () => {
  const { got, port } = await receiver(200);
  const hook = webhook(
    { ...soon, url: `http://hook.example:${port}/` },
    { clock: () => 7, resolve: async () => ['127.0.0.1'] },
  );
  hook.send(alarm);
  await hook.idle();
  expect([got.length, hook.counts()]).toEqual([0, { sent: 0, given_up: 1 }]);
});

it('connects to the address that was checked and asks for it once: no name is public first and private then', async () => {
  const { got, port } = await receiver(200);
  let asked = 0;
  const resolve = async () => {
    asked++;
    return ['127.0.0.1']; // nothing else in the world knows this name
  };
  const hook = webhook(
    { ...soon, url: `http://hook.invalid:${port}/`, allowPrivate: true },
    { clock: () => 7, resolve },
  );
  hook.send(alarm);
  await hook.idle();
  expect([got[0]?.headers['host'], asked]).toEqual([`hook.invalid:${port}`, 1]);
});

it.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:10.0.0.1]/',
  'file:///etc/passwd',
  'http://user:word@example.com/',
])('refuses %s when it is built', (url) =>
  expect(() => webhook({ ...soon, url }, { clock: () => 7 })).toThrow(expect.objectContaining({ code: 'TM_OPTIONS' })),
);

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['100.64.0.1', false],
  ['192.168.1.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['nonsense', false],
])('knows whether %s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

it('an evaluation that is posted to a server reaches its webhook, signed', async () => {
  const { got, port } = await receiver(200);
  const hook = { url: `http://127.0.0.1:${port}/hook`, secret, allowPrivate: true };
  const opened = await openServer({ data: await freshFolder(), token: 'a-token', hook });
  const headers = { 'x-api-key': 'a-token', 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await opened.app.request(`/v1/monitor/a${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  expect(await post('', { kl_budget: 1 })).toBe(200);
  expect(await post('/log', { step: 0, kl: 3 })).toBe(200);
  expect(await post('/eval', { step: 0, groups: [[{ text: 'a', proxy: 1 }]] })).toBe(200);
  await opened.close(); // alarms that wait are posted first
  expect(got.map(({ body }) => JSON.parse(body))).toEqual([expect.objectContaining({ kind: 'drift', run_id: 'a' })]);
  expect(got[0]?.headers['x-tracemill-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});
