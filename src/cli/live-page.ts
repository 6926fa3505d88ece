import { randomBytes } from 'node:crypto';
import { listenHttp } from '../server/listen-http.ts';
import { openServer } from '../server/open-server.ts';
import type { Io } from './io.ts';

interface Opening {
  readonly port: number;
  /** Folder of the runs and monitors that are shown besides. */
  readonly data: string;
}

/**
 * Open the page in this process: what runs with the `io` that it gives is shown there. Loopback only, with a token.
 *
 * @throws TM_SOURCE - the port cannot be had
 */
export async function livePage(io: Io, { port, data }: Opening) {
  const token = process.env['TRACEMILL_TOKEN'] || randomBytes(24).toString('base64url');
  const opened = await openServer({ data, token, say: io.say });
  const server = await listenHttp(opened.app.fetch, { host: '127.0.0.1', port, maxConnections: 100 }).catch(
    async (error: unknown) => {
      await opened.close();
      throw error;
    },
  );
  return {
    io: { ...io, watching: opened.live },
    url: `${server.url}/?token=${encodeURIComponent(token)}`,
    async close(): Promise<void> {
      await server.close(500);
      await opened.close();
    },
  };
}
