import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createFlow } from '../src/core/flow.ts';
import { otlpReceiver } from '../src/sources/otlp.ts';
import { sendMutated } from './otlp/send-mutated.ts';

/** Bodies that something is wrong with: what is answered, and whether a good span was lost. `--bodies N`, `--from N`. */
const { values } = parseArgs({
  options: { bodies: { type: 'string', default: '100000' }, from: { type: 'string', default: '0' } },
});
const from = Number(values.from);
const print = (figures: object) => process.stdout.write(`${JSON.stringify({ bench: 'otlp-fuzz', ...figures })}\n`);
const limits = { maxBodyBytes: 256 * 1024, maxAttributeChars: 32 * 1024 };

const start = performance.now();
const { lost, wrong, slowestMs, ...figures } = await sendMutated(from, from + Number(values.bodies), limits);
const seconds = Math.round((performance.now() - start) / 1000);
print({
  bodies: Number(values.bodies),
  seconds,
  ...figures,
  lost: lost.length,
  wrong: wrong.length,
  slowest_ms: Math.round(slowestMs),
});
for (const one of [...lost, ...wrong].slice(0, 20)) print({ failed: one });

// an attribute of 100 MB, plain and packed, against the limits as they are
const huge = Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"${'x'.repeat(100 * 2 ** 20)}"}]}]}]}`);
const statuses: number[] = [];
for (const [body, encoding] of [
  [huge, 'identity'],
  [gzipSync(huge, { level: 1 }), 'gzip'],
] as const) {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  const receiver = otlpReceiver();
  const context = { reject: () => {}, count: () => {}, tally: () => ({ in: 0, out: 0, inFlight: 0 }) };
  receiver.source({ flow: createFlow(16), context }).subscribe(({ rows }) => rows.subscribe());
  const url = 'http://127.0.0.1:4318/v1/traces';
  statuses.push(
    (await receiver.fetch(new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }))).status,
  );
}
print({ attribute_of_100_mb: statuses, rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20) });
if (lost.length + wrong.length > 0 || statuses.some((status) => status !== 413)) process.exitCode = 1;
