import { lastValueFrom } from 'rxjs';
import { pass } from '../../src/core/pass.ts';
import { run } from '../../src/core/run.ts';
import type { OtlpRecord } from '../../src/dialects/otlp/decoded-log.ts';
import { messageType } from '../../src/dialects/otlp/protobuf-messages.ts';
import { otlpReceiver } from '../../src/sources/otlp.ts';
import { mutated } from './mutated.ts';

interface Limits {
  readonly maxBodyBytes: number;
  readonly maxAttributeChars: number;
}

/** What came of bodies that something is wrong with. */
export interface Outcome {
  /** By kind of body and status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Answers that the protocol does not know. */
  readonly wrong: readonly string[];
  /** Good spans sent, stored, and not stored. */
  readonly good: number;
  readonly lost: readonly string[];
  readonly slowestMs: number;
}

const known = new Set([200, 400, 413, 415]);

/** Send the bodies `from` to `to` to a receiver, and look at every answer. */
export async function sendMutated(from: number, to: number, limits: Limits): Promise<Outcome> {
  const stored = new Set<string>();
  const receiver = otlpReceiver(limits);
  const done = lastValueFrom(
    run<OtlpRecord, OtlpRecord>({
      source: receiver.source,
      operator: pass(),
      sink: {
        write: async (rows) => {
          for (const { span_id } of rows) if (span_id !== null) stored.add(span_id);
        },
        close: async () => {},
      },
      rejected: { write: async () => {}, close: async () => {} },
    }),
    { defaultValue: undefined },
  );
  const answers: Record<string, number> = {};
  const wrong: string[] = [];
  const good = new Set<string>();
  let slowestMs = 0;
  for (let n = from; n < to; n++) {
    const { kind, headers, body, good: ids } = mutated(n, limits);
    const url = 'http://127.0.0.1:4318/v1/traces';
    const start = performance.now();
    const response = await receiver.fetch(new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }));
    slowestMs = Math.max(slowestMs, performance.now() - start);
    const name = `${kind} ${response.status}`;
    answers[name] = (answers[name] ?? 0) + 1;
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!known.has(response.status) || !isAnswer(response, bytes)) wrong.push(`${n}: ${name}`);
    for (const id of ids) good.add(id);
  }
  receiver.end();
  await done;
  return { answers, wrong, good: good.size, lost: [...good].filter((id) => !stored.has(id)), slowestMs };
}

/** Whether the answer is what the protocol says, in the encoding that it names. */
function isAnswer({ status, headers }: Response, bytes: Uint8Array): boolean {
  const isJson = headers.get('content-type') === 'application/json';
  const type = messageType(status === 200 ? 'TraceResponse' : 'RpcStatus');
  const said = isJson ? JSON.parse(Buffer.from(bytes).toString()) : type.decode(bytes).toJSON();
  return Object.keys(said).every((key) => (status === 200 ? key === 'partialSuccess' : key === 'message'));
}
