import { parseArgs } from 'node:util';
import { lastValueFrom } from 'rxjs';
import { createCounters } from '../src/core/counters.ts';
import type { Sink } from '../src/core/to-sink.ts';
import { messageType } from '../src/dialects/otlp/protobuf-messages.ts';
import { inMemory } from '../src/pipelines/in-memory.ts';
import { listenStages } from '../src/pipelines/listen.ts';
import type { Row } from '../src/rows/row.ts';
import { otlpReceiver } from '../src/sources/otlp.ts';
import type { Spool } from '../src/sources/otlp-spool.ts';
import { exportsOf } from './otlp/workload.ts';

/**
 * Spans of 1.2 KB in protobuf, 10 for a conversation, from bytes to assembled and redacted rows, beside the bare decode of
 * the same bytes by protobufjs. Says both rates, their ratio, and the memory at each tenth: of the process, and with
 * `--expose-gc` what is left after a collection. Both are compiled before they are timed, as in a process that has run for
 * some seconds. `--spans N`.
 */
const { values } = parseArgs({ options: { spans: { type: 'string', default: '1000000' } } });
const spans = Number(values.spans);
const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'otlp', ...figures })}\n`);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Spans a second of one core: by the time that the process had, which a busy machine does not change. */
const rate = (n: number, ms: number): number => Math.round((n / ms) * 1000);

const request = messageType('TraceRequest');
const bodies = [...exportsOf(Math.min(spans, 20_000))];
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
const held = sum(bodies.map((one) => one.spans));
print({ spans, bytes_per_span: Math.round(sum(bodies.map(({ body }) => body.length)) / held) });

function bareDecode(): number {
  const start = cpuMs();
  for (const { body } of bodies) request.decode(body);
  return rate(held, cpuMs() - start);
}
bareDecode();
const bare = Math.max(bareDecode(), bareDecode(), bareDecode());

const headers = { 'content-type': 'application/x-protobuf' };
const nowhere: Spool = { append: async () => () => {}, async *left() {}, bytes: () => 0, close: async () => {} };
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Send so many spans to a receiver of their own. */
async function run(spans: number) {
  const told = { rows: 0, redacted: 0 };
  const sink: Sink<Row> = {
    async write(batch) {
      told.rows += batch.length;
      for (const row of batch) if (row['redacted'] !== undefined) told.redacted++;
    },
    close: async () => {},
  };
  const receiver = otlpReceiver({}, { spool: nowhere });
  const counters = createCounters();
  const done = lastValueFrom(
    inMemory(listenStages({ sessions: {}, redact: { salt: 'salt of the bench', personal: true } }), {
      source: receiver.source,
      sinks: { traces: sink as Sink<never> },
      rejected: { write: async () => {}, close: async () => {} },
      maxInFlight: 4096,
      hooks: counters.hooks,
    }),
    { defaultValue: undefined },
  );
  let took = 0;
  let sent = 0;
  const rss: number[] = [];
  const heap: number[] = [];
  const exports = exportsOf(spans);
  for (let next = exports.next(); !next.done; next = exports.next()) {
    const start = cpuMs(); // making the spans is not counted
    const request = { method: 'POST', headers, body: new Uint8Array(next.value.body) };
    const { status } = await receiver.fetch(new Request('http://127.0.0.1:4318/v1/traces', request));
    if (status !== 200) throw new Error(`answered ${status}`);
    await new Promise((resolve) => setImmediate(resolve));
    took += cpuMs() - start;
    sent += next.value.spans;
    if ((sent * 10) / spans < rss.length + 1) continue;
    globalThis.gc?.();
    rss.push(megabytes(process.memoryUsage().rss));
    heap.push(megabytes(process.memoryUsage().heapUsed));
  }
  const start = cpuMs();
  receiver.end();
  await done;
  took += cpuMs() - start;
  const noticed = counters.snapshot().flatMap(({ counts }) => Object.entries(counts));
  return { ...told, rate: rate(sent, took), rss, heap, noticed };
}

await run(Math.min(spans, 20_000));
const full = await run(spans);
print({ run: 'bare protobuf decode', spans_per_s_core: bare });
print({
  run: 'bytes to assembled and redacted rows',
  ...{ spans_per_s_core: full.rate, rows: full.rows, redacted: full.redacted },
});
print({
  ratio: Number((full.rate / bare).toFixed(3)),
  rss_mb_by_tenth: full.rss,
  heap_mb_by_tenth: full.heap,
  ...Object.fromEntries(full.noticed),
});
