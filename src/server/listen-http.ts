import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { TracemillError } from '../core/errors.ts';

interface Listening {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Take no new connection, answer what is asked, close. After `maxWaitMs` what is left is cut. */
  close(maxWaitMs?: number): Promise<void>;
}

/**
 * Listen at a port. A client keeps its connection as long as it likes; one that does not finish the head of a request in 10 s
 * is cut, and its whole request has a minute.
 *
 * @throws TM_SOURCE - the port cannot be had
 */
export async function listenHttp(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, maxConnections }: Listening,
): Promise<HttpServer> {
  const server = createAdaptorServer({
    fetch,
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
    port: bound,
    async close(maxWaitMs = 5000) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), maxWaitMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
