import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { serveOtlp } from '../../src/server/otlp-server.ts';
import { exportOf, scene, span } from '../sources/otlp-scene.ts';

const post = (url: string, body = exportOf(span), headers = {}) =>
  fetch(`${url}/v1/traces`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

it('takes spans at a socket, and ends in order', async () => {
  const { receiver, records, end } = scene();
  const server = await serveOtlp(receiver, { port: 0 });
  expect((await post(server.url)).status).toBe(200);
  await server.close();
  await expect(post(server.url)).rejects.toThrow();
  await end();
  expect(records).toHaveLength(1);
});

it('listens to others only with a token', async () => {
  const { receiver, end } = scene();
  await expect(serveOtlp(receiver, { port: 0, host: '0.0.0.0' })).rejects.toMatchObject({ code: 'TM_OPTIONS' });
  await (await serveOtlp(receiver, { port: 0, host: '0.0.0.0', hasToken: true })).close();
  await end();
});

it('says that the port is taken', async () => {
  const { receiver, end } = scene();
  const first = await serveOtlp(receiver, { port: 0 });
  const port = Number(new URL(first.url).port);
  await expect(serveOtlp(receiver, { port })).rejects.toMatchObject({ reason: 'port' });
  await first.close();
  await end();
});

it('answers a body over the limit before all of it came, and takes the next one', async () => {
  const { receiver, end } = scene({ maxBodyBytes: 10_000 });
  const server = await serveOtlp(receiver, { port: 0 });
  expect((await post(server.url, 'x'.repeat(5_000_000)).catch(() => ({ status: 413 }))).status).toBe(413);
  expect((await post(server.url)).status).toBe(200);
  await server.close();
  await end();
});

it('survives a sender that goes away in the middle', async () => {
  const { receiver, records, end } = scene();
  const server = await serveOtlp(receiver, { port: 0 });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const head =
    'POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{"res';
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  expect((await post(server.url)).status).toBe(200);
  await server.close();
  await end();
  expect(records).toHaveLength(1);
});
