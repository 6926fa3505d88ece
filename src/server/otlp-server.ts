import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { OtlpReceiver } from '../sources/otlp.ts';
import { isLoopback } from './guard.ts';
import { type HttpServer, listenHttp } from './listen-http.ts';

const options = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen at. One that others reach needs a token.'),
  port: z.int().min(0).max(65_535).default(4318).describe('Port; 0 takes any that is free.'),
  hasToken: z.boolean().default(false).describe('The receiver asks for a bearer token.'),
  maxConnections: z.int().min(1).default(1000).describe('Connections at a time; more are refused.'),
});

/** A receiver that listens. */
export type OtlpServer = HttpServer;

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
  return listenHttp(receiver.fetch, { host, port, maxConnections });
}
