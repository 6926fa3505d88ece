import { lastValueFrom } from 'rxjs';
import { createCounters } from '../../src/core/counters.ts';
import type { Rejection } from '../../src/core/operator.ts';
import { pass } from '../../src/core/pass.ts';
import { run } from '../../src/core/run.ts';
import type { OtlpRecord } from '../../src/dialects/otlp/decoded-log.ts';
import { otlpReceiver } from '../../src/sources/otlp.ts';

type Config = Parameters<typeof otlpReceiver>[0];
type Ports = Parameters<typeof otlpReceiver>[1];

/** A receiver whose records go to a list. `write` may hold them back. */
export function scene(config: Config = {}, ports: Ports = {}, { write = async () => {}, maxInFlight = 256 } = {}) {
  const receiver = otlpReceiver(config, { clock: () => 1_700_000_000_000, ...ports });
  const records: OtlpRecord[] = [];
  const rejections: Rejection<unknown>[] = [];
  const counters = createCounters();
  const done = lastValueFrom(
    run<OtlpRecord, OtlpRecord>({
      source: receiver.source,
      operator: pass(),
      maxInFlight,
      hooks: counters.hooks,
      sink: {
        async write(rows) {
          await write();
          records.push(...rows);
        },
        close: async () => {},
      },
      rejected: { write: async (rows) => void rejections.push(...rows), close: async () => {} },
    }),
    { defaultValue: undefined },
  );
  const end = async () => {
    receiver.end();
    await done;
  };
  return { receiver, records, rejections, counters, end };
}

export const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'one' };
export const exportOf = (...spans: readonly unknown[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

type Sent = {
  path?: string;
  body?: string | Uint8Array | ReadableStream | null;
  headers?: Record<string, string>;
  method?: string;
};
export const request = ({ path = '/v1/traces', body = exportOf(span), headers = {}, method = 'POST' }: Sent = {}) =>
  new Request(`http://127.0.0.1:4318${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && body !== null && { body, duplex: 'half' }),
  } as RequestInit);
