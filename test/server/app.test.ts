import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { jsonReader } from '../../src/server/read-json.ts';
import { bearer, liveScene, token } from './live.ts';

/** A part that echoes what it was posted. */
function echo(limits = {}) {
  const read = jsonReader(limits);
  return new Hono().post('/echo', (c) => read(c.req.raw, (value) => Response.json(value)));
}
const json = { 'content-type': 'application/json' };

it.each(['/metrics', '/v1/events', '/v1/rollouts/r', '/', '/nowhere'])(
  'gives %s to nobody without the token',
  async (path) => {
    const { app } = liveScene();
    const asked = await Promise.all([
      app.request(path),
      app.request(`${path}?token=wrong`),
      app.request(path, { headers: { authorization: 'Bearer wrong' } }),
      app.request(path, { headers: { 'x-api-key': `${token}x` } }),
      app.request(path, { headers: { cookie: 'tracemill_token=wrong' } }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  },
);

it('takes the token as bearer, key or cookie, and out of the address of the page', async () => {
  const { app } = liveScene();
  const page = await app.request(`http://localhost/metrics?token=${encodeURIComponent(token)}&a=1`);
  expect([page.status, page.headers.get('location')]).toEqual([303, '/metrics?a=1']);
  const cookie = page.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  const ways = [bearer, { 'x-api-key': token }, { cookie: cookie.split(';')[0] ?? '' }];
  const asked = await Promise.all(ways.map((headers) => app.request('/metrics', { headers })));
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('never sends whoever gives the token to another host', async () => {
  const { app } = liveScene();
  const page = await app.request(`http://localhost//evil.example/a?token=${encodeURIComponent(token)}`);
  expect(page.headers.get('location')).toBe('/evil.example/a');
});

it.each([
  ['evil.example', 421],
  ['evil.example:4320', 421],
  ['localhost.evil.example', 421],
  ['localhost:4320', 200],
  ['127.0.0.1:4320', 200],
  ['[::1]:4320', 200],
  ['judge.internal', 200],
  ['example.com', 200],
  ['other.internal:4320', 200],
])('answers the name %s with %i', async (host, status) => {
  const { ask } = liveScene({ allowedHosts: ['judge.internal', 'Example.com', 'other.internal:4320'] });
  expect((await ask('/metrics', { headers: { host } })).status).toBe(status);
});

it.each([
  [{ origin: 'http://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://localhost:1' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'http://localhost' }, 200],
  [{}, 200],
])('answers a post that says it comes from %j with %i', async (headers, status) => {
  const { ask } = liveScene({ parts: [echo()] });
  const asked = await ask('/echo', { method: 'POST', headers: { ...json, ...headers, host: 'localhost' }, body: '{}' });
  expect(asked.status).toBe(status);
});

it('takes JSON alone, as any page may send text', async () => {
  const { ask } = liveScene({ parts: [echo()] });
  const asked = await ask('/echo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
  expect(asked.status).toBe(415);
});

it('refuses a body that is too large as it comes, or inflated', async () => {
  const { gzipSync } = await import('node:zlib');
  const { ask } = liveScene({ parts: [echo({ maxBytes: 1000, maxInflatedBytes: 5000 })] });
  const send = (body: Uint8Array | string, headers = {}) =>
    ask('/echo', { method: 'POST', headers: { ...json, ...headers }, body: body as never });
  const large = JSON.stringify('x'.repeat(4000));
  const gzip = { 'content-encoding': 'gzip' };
  const asked = [
    await send(large),
    await send(gzipSync(large), gzip),
    await send(gzipSync(JSON.stringify('x'.repeat(50_000))), gzip),
    await send('{', gzip),
    await send('{'),
    await send('{}', { 'content-encoding': 'br' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([413, 200, 413, 400, 400, 415]);
});

it('holds so many bytes of bodies until they are answered, as they are unpacked, and sends the others away', async () => {
  const { gzipSync } = await import('node:zlib');
  const read = jsonReader({ maxPendingBytes: 10_000 });
  const open: (() => void)[] = [];
  const slow = new Hono().post('/slow', (c) =>
    read(c.req.raw, () => new Promise((resolve) => open.push(() => resolve(Response.json({}))))),
  );
  const { ask } = liveScene({ parts: [slow] });
  const headers = { ...json, 'content-encoding': 'gzip' };
  const body = gzipSync(JSON.stringify('x'.repeat(6000))) as never; // some 50 bytes as it comes
  const send = () => ask('/slow', { method: 'POST', headers, body });
  const first = send();
  while (open.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const away = await send();
  expect([away.status, away.headers.get('retry-after')]).toEqual([429, '1']);
  open.shift()?.();
  expect((await first).status).toBe(200);
  const later = send();
  while (open.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  open.shift()?.();
  expect((await later).status).toBe(200);
});

it('servers at two ports of a host keep their tokens apart', async () => {
  const cookieOf = async (host: string) => {
    const { app } = liveScene();
    const entered = await app.request(`http://${host}/?token=${token}`, { headers: { host } });
    return (entered.headers.get('set-cookie') ?? '').split('=')[0];
  };
  expect(await Promise.all(['localhost:4320', '127.0.0.1:5000', '[::1]', 'localhost'].map(cookieOf))).toEqual([
    'tracemill_token_4320',
    'tracemill_token_5000',
    'tracemill_token',
    'tracemill_token',
  ]);
});

it('is red while something of the server is broken, and its own figures are on /metrics', async () => {
  const { app, ask, live } = liveScene({ figures: () => ({ webhook_given_up: 2 }) });
  live.fault('scored', 'training runs are not followed any more');
  const red = await app.request('/healthz');
  expect([red.status, await red.json()]).toEqual([
    503,
    { is_ok: false, faults: ['training runs are not followed any more'] },
  ]);
  expect(await (await ask('/metrics')).text()).toContain('\ntracemill_webhook_given_up 2\n');
  live.fault('scored', null);
  expect((await app.request('/healthz')).status).toBe(200);
});

it('does not wait for a body that takes too long', async () => {
  const { app } = liveScene({ parts: [echo({ maxMs: 20 })] });
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
  const init = { method: 'POST', headers: { ...bearer, ...json }, body, duplex: 'half' } as RequestInit;
  expect((await app.request('http://localhost/echo', init)).status).toBe(408);
});

it('finds no file however the path is written', async () => {
  const { ask } = liveScene();
  const paths = ['/../package.json', '/%2e%2e/package.json', '/v1/rollouts/..%2f..%2fpackage.json', '/v1/rollouts/%00'];
  const asked = await Promise.all(paths.map((path) => ask(path)));
  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

it('is healthy to whoever asks, and red when a stage has something to do and moves nothing', async () => {
  const { app, live, clock, pass } = liveScene();
  const figures = (out: number, lag: number) => ({
    ...{ stage: 'judge', operator: 'source', in: out, out, rejected: {}, counts: {}, in_flight: 0, gauges: { lag } },
  });
  live.figures('w1', clock(), [figures(5, 10)]);
  expect((await app.request('/healthz')).status).toBe(200);
  pass(50_000);
  live.figures('w1', clock(), [figures(6, 10)]); // it moves, though the lag stays
  pass(50_000);
  live.figures('w1', clock(), [figures(6, 12)]);
  expect((await app.request('/healthz')).status).toBe(200);
  pass(20_000);
  live.figures('w1', clock(), [figures(6, 14)]);
  const red = await app.request('/healthz');
  expect([red.status, await red.json()]).toEqual([
    503,
    { is_ok: false, faults: ['judge/source of w1 is stalled for 70 s'] },
  ]);
  live.figures('w1', clock(), [figures(6, 0)]); // the lag went
  expect((await app.request('/healthz')).status).toBe(200);
});

it('is red when a worker with work in hand says nothing any more, until another has it', async () => {
  const { app, live, clock, pass } = liveScene();
  const held = { ...{ stage: 'judge', operator: 'judge', in: 3, out: 1, rejected: {}, counts: {}, in_flight: 2 } };
  live.figures('w1', clock(), [held]);
  pass(40_000);
  expect(await (await app.request('/healthz')).json()).toMatchObject({
    faults: ['judge/judge of w1 is silent for 40 s'],
  });
  live.figures('w2', clock(), [held]);
  expect((await app.request('/healthz')).status).toBe(200);
});

it('is green again when a worker died and another did its work and ended', async () => {
  const { app, live, clock, pass } = liveScene();
  const held = { ...{ stage: 'judge', operator: 'judge', in: 3, out: 1, rejected: {}, counts: {}, in_flight: 2 } };
  live.figures('w1', clock(), [held]);
  pass(10_000);
  live.figures('w2', clock(), [{ ...held, in_flight: 0 }], true);
  pass(40_000);
  expect((await app.request('/healthz')).status).toBe(200);
});

it('a request that broke something is counted, and said where the server is', async () => {
  const said: string[] = [];
  const part = new Hono().get('/broken', () => {
    throw new Error('no such table');
  });
  const { ask } = liveScene({ parts: [part], say: (line) => said.push(line) });
  expect((await ask('/broken')).status).toBe(500);
  expect(said).toEqual(['GET /broken broke something: Error: no such table']);
  expect(await (await ask('/metrics')).text()).toMatch(/broken_requests\S* 1/);
});

it('HEAD requests use no reader of events up', async () => {
  const { ask } = liveScene({ maxReaders: 1 });
  for (let n = 0; n < 3; n++) expect((await ask('/v1/events', { method: 'HEAD' })).status).toBe(200);
  const events = await ask('/v1/events');
  expect(events.status).toBe(200);
  await events.body?.cancel();
});

it('tells Prometheus what the operators counted', async () => {
  const { ask, live, clock } = liveScene();
  const counts = { replayed: 2 };
  live.figures('w"1', clock(), [
    {
      stage: 'judge',
      operator: 'judge',
      in: 3,
      out: 1,
      rejected: { error: 1 },
      counts,
      in_flight: 1,
      gauges: { lag: 9 },
    },
  ]);
  const text = await (await ask('/metrics')).text();
  expect(text.split('\n').filter((line) => line.includes('judge'))).toMatchInlineSnapshot(`
    [
      "tracemill_rows_in_total{worker="w\\"1",stage="judge",operator="judge"} 3",
      "tracemill_rows_out_total{worker="w\\"1",stage="judge",operator="judge"} 1",
      "tracemill_in_flight{worker="w\\"1",stage="judge",operator="judge"} 1",
      "tracemill_rejected_total{worker="w\\"1",stage="judge",operator="judge",reason="error"} 1",
      "tracemill_events_total{worker="w\\"1",stage="judge",operator="judge",what="replayed"} 2",
      "tracemill_gauge_lag{worker="w\\"1",stage="judge",operator="judge"} 9",
    ]
  `);
});
