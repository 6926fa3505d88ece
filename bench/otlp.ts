import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
import { storedExports, storeExports } from './otlp/stored-exports.ts';
import type { Export } from './otlp/workload.ts';

/**
 * Spans of 1.2 KB in protobuf, 10 for a conversation, from bytes to assembled and redacted rows, and the bare decode of
 * such bytes by protobufjs, in turns: 4096 spans of the one, then as many of the other. Says the rates and their ratio, by
 * the clock and by the time of all threads on the processor, and the memory at each tenth: of the process, and with
 * `--expose-gc` what is left after a collection. Both are compiled before they are timed, as in a process that has run for
 * some seconds. `--spans N`.
 */
const { values } = parseArgs({ options: { spans: { type: 'string', default: '1000000' }, make: { type: 'boolean' } } });
const spans = Number(values.spans);
const path = 'out/otlp-exports.bin';
if (values.make) {
  storeExports(path, spans);
  process.exit(0);
}
spawnSync(process.execPath, [String(process.argv[1]), '--make', '--spans', values.spans], { stdio: 'inherit' }); // leaves no garbage here

const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'otlp', ...figures })}\n`);
const request = messageType('TraceRequest');
const bodies = [...storedExports(path, Math.min(spans, 20_000))];
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
const held = sum(bodies.map((one) => one.spans));
print({ spans, bytes_per_span: Math.round(sum(bodies.map(({ body }) => body.length)) / held) });

/** Time that was taken, in ms. */
interface Taken {
  clock: number;
  processor: number;
}

/** Starts to take the time; what it gives adds it. */
function timed(taken: Taken): () => void {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(processor);
    taken.clock += performance.now() - clock;
    taken.processor += (user + system) / 1000;
  };
}

/** Spans of one kind in a row: a machine changes its pace within seconds, and both are to have the same of it. */
const turn = 4096;

const rate = (n: number, ms: number): number => Math.round((n / ms) * 1000);

function bareDecode(spans: number, taken: Taken): void {
  const stop = timed(taken);
  for (let left = spans, at = 0; left > 0; at++) {
    const { body, spans: n } = bodies[at % bodies.length] as Export; // there is one at least
    request.decode(body);
    left -= n;
  }
  stop();
}

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
      source: receiver.packed,
      sinks: { traces: sink as Sink<never> },
      rejected: { write: async () => {}, close: async () => {} },
      maxInFlight: 4096,
      hooks: counters.hooks,
    }),
    { defaultValue: undefined },
  );
  const [taken, bare]: [Taken, Taken] = [
    { clock: 0, processor: 0 },
    { clock: 0, processor: 0 },
  ];
  let [sent, compared] = [0, 0];
  const rss: number[] = [];
  const heap: number[] = [];
  for (const { body, spans: n } of storedExports(path, spans)) {
    const sending = new Request('http://127.0.0.1:4318/v1/traces', { method: 'POST', headers, body });
    const stop = timed(taken);
    const { status } = await receiver.fetch(sending);
    if (status !== 200) throw new Error(`answered ${status}`);
    await new Promise((resolve) => setImmediate(resolve));
    stop();
    sent += n;
    if (sent - compared >= turn) {
      bareDecode(sent - compared, bare);
      compared = sent;
    }
    if ((sent * 10) / spans < rss.length + 1) continue;
    globalThis.gc?.();
    rss.push(megabytes(process.memoryUsage().rss));
    heap.push(megabytes(process.memoryUsage().heapUsed));
  }
  bareDecode(sent - compared, bare);
  const stop = timed(taken);
  receiver.end();
  await done;
  stop();
  const noticed = counters.snapshot().flatMap(({ counts }) => Object.entries(counts));
  return { ...told, sent, taken, bare, rss, heap, noticed };
}

await run(Math.min(spans, 20_000));
const { sent, taken, bare, rows, redacted, rss, heap, noticed } = await run(spans);
const rates = ({ clock, processor }: Taken) => ({
  spans_per_s: rate(sent, clock),
  spans_per_s_core: rate(sent, processor),
});
rmSync(path);
print({ run: 'bare protobuf decode', ...rates(bare) });
print({ run: 'bytes to assembled and redacted rows', ...rates(taken), rows, redacted });
print({
  ratio: Number((bare.clock / taken.clock).toFixed(3)),
  ratio_core: Number((bare.processor / taken.processor).toFixed(3)),
  ...{ rss_mb_by_tenth: rss, heap_mb_by_tenth: heap },
  ...Object.fromEntries(noticed),
});
