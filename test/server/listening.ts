import { lastValueFrom } from 'rxjs';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { listenStages } from '../../src/pipelines/listen.ts';
import type { Row } from '../../src/rows/row.ts';
import { serveOtlp } from '../../src/server/otlp-server.ts';
import { otlpReceiver } from '../../src/sources/otlp.ts';
import type { Spool, SpoolEntry } from '../../src/sources/otlp-spool.ts';

/** A receiver at a socket whose sessions go to a list, and every request as it came. `away` sends the first ones away. */
export async function listening(away = 0) {
  const requests: SpoolEntry[] = [];
  let left = away;
  const spool: Spool = {
    async append(entry) {
      if (left-- > 0) throw new Error('no disk');
      requests.push(entry);
      return () => {};
    },
    async *left() {},
    bytes: () => 0,
    close: async () => {},
  };
  const receiver = otlpReceiver({}, { spool });
  const rows: Row[] = [];
  const sink = { write: async (batch: readonly Row[]) => void rows.push(...batch), close: async () => {} };
  const stages = listenStages({ sessions: {}, redact: { salt: 'salt of a test', personal: true } });
  const rejected = { write: async () => {}, close: async () => {} };
  const done = lastValueFrom(
    inMemory(stages, { source: receiver.packed, sinks: { traces: sink as never }, rejected }),
    {
      defaultValue: undefined,
    },
  );
  const server = await serveOtlp(receiver, { port: 0 });
  /** The rows, when everything was sent. */
  const end = async (): Promise<readonly Row[]> => {
    receiver.end();
    await done;
    await server.close();
    return rows;
  };
  return { url: server.url, requests, end };
}
