import type { Server } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { OtlpReceiver } from '../sources/otlp.ts';

const options = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen at. One that others reach needs a token.'),
  port: z.int().min(0).max(65_535).default(4318).describe('Port; 0 takes any that is free.'),
  hasToken: z.boolean().default(false).describe('The receiver asks for a bearer token.'),
  maxConnections: z.int().min(1).default(1000).describe('Connections at a time; more are refused.'),
});

/** A receiver that listens. */
export interface OtlpServer {
  readonly url: string;
  /** Take no new connection, answer what is asked, close. After `maxWaitMs` what is left is cut. */
  close(maxWaitMs?: number): Promise<void>;
}

/**
 * Listen for OTLP/HTTP. A sender keeps its connection as long as it likes; one that does not finish the head of a request
 * in 10 s is cut.
 *
 * @throws TM_OPTIONS - an address that others reach, and no token
 * @throws TM_SOURCE - the port cannot be had
 */
export async function serveOtlp(receiver: OtlpReceiver, config: z.input<typeof options> = {}): Promise<OtlpServer> {
  const { host, port, hasToken, maxConnections } = parseOptions('otlpServer', options, config);
  if (!hasToken && !isLoopback(host))
    throw new TracemillError('TM_OPTIONS', `${host} can be reached by others: set a token, or listen at 127.0.0.1`);
  const server = createAdaptorServer({
    fetch: receiver.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 5000,
    },
  }) as Server; // no HTTP/2 was asked for
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const said = cause.code === 'EADDRINUSE' ? 'something listens there already' : 'the port cannot be had';
      reject(new TracemillError('TM_SOURCE', `${host}:${port}: ${said}`, { cause, reason: 'port' }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    async close(maxWaitMs = 5000) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), maxWaitMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
