import { map } from 'rxjs';
import { z } from 'zod';
import { type Clock, systemClock } from '../core/clock.ts';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import type { OtlpRecord } from '../dialects/otlp/decoded-log.ts';
import { opened, type ReceivedRecord } from '../dialects/otlp/span-record.ts';
import { type Answer, answers, faultAnswer, refusalOf, responseOf, tooLarge } from './otlp-answer.ts';
import { readBody } from './otlp-body.ts';
import { createIntake, type Held, type Load } from './otlp-intake.ts';
import { exportLoad, type Loaded, scoreLoad } from './otlp-load.ts';
import type { Spool, SpoolEntry } from './otlp-spool.ts';
import { bearerCheck } from './otlp-token.ts';

const mebibyte = 1024 * 1024;
const options = z.strictObject({
  token: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token that every request must have. Without it anybody who can connect may send.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .default(64 * mebibyte)
    .describe('Largest body in bytes, before and after decompression.'),
  maxPendingBytes: z
    .int()
    .min(1)
    .default(256 * mebibyte)
    .describe('Bytes of bodies that are read, or wait for room, at the same time.'),
  maxSpans: z
    .int()
    .min(1)
    .default(50_000)
    .describe('Most spans, log records or verdicts in one request, and most resources and scopes together.'),
  maxEvents: z.int().min(1).default(250_000).describe('Most events and links of all spans in one request.'),
  maxValues: z
    .int()
    .min(1)
    .default(2_000_000)
    .describe('Most attributes and items of lists in one request, with the spans and events that they stand in.'),
  maxAttributeChars: z
    .int()
    .min(1)
    .default(4 * mebibyte)
    .describe('Longest attribute, in characters. A span with a longer one is rejected, the others are kept.'),
  maxBodyMs: z.int().min(1).default(10_000).describe('Longest time a body may take to arrive, in ms.'),
  maxWaitMs: z.int().min(0).default(1000).describe('How long a request waits for room before it is sent away, in ms.'),
  maxStoreMs: z
    .int()
    .min(1)
    .default(5000)
    .describe('How long a request waits until its spans are stored, in ms. A spool stores at once.'),
  retryAfterS: z.int().min(1).max(60).default(1).describe('When to come back, in seconds; senders give up after 10.'),
});

interface Ports {
  /** Stores requests before they are answered. Without it an answer waits until the run has stored every span. */
  readonly spool?: Spool;
  readonly clock?: Clock;
}

/** A receiver of spans, log records and verdicts. */
export interface OtlpReceiver {
  /** Answer a request: `/v1/traces`, `/v1/logs`, `/v1/scores`. For any server that speaks fetch. It does not throw. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** What came in. A late verdict is the log record `gen_ai.evaluation.result`. One run may read it. */
  readonly source: Source<OtlpRecord>;
  /** The same for a run whose first operator is `sessions`: spans that came in protobuf wait for their session as bytes. */
  readonly packed: Source<ReceivedRecord>;
  /** Give what the spool kept of an earlier process to the run; gives the number of requests. Call it before the socket opens. */
  replay(): Promise<number>;
  /** Take no more: the run ends when what moves is stored. Every request that still comes is sent away with 503. */
  end(): void;
}

/**
 * Receive OTLP/HTTP: traces and logs, JSON and protobuf, plain, gzip or deflate. A request is answered with success when
 * every span of it is stored or rejected, never before: in the spool where there is one, else by the run. A span that cannot
 * be kept is rejected alone, with a partial success. When there is no room for `maxWaitMs` the answer is 429, when nothing
 * can be stored 503, both with Retry-After. Memory: `maxPendingBytes`, and what the run holds.
 *
 * @rejects invalid_id, no_trace, too_large
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source OpenTelemetry Protocol 1.11, OTLP/HTTP
 */
export function otlpReceiver(config: z.input<typeof options> = {}, ports: Ports = {}): OtlpReceiver {
  const limits = parseOptions('otlp', options, config);
  const { spool, clock = systemClock } = ports;
  const intake = createIntake<ReceivedRecord>('otlp');
  const isAllowed = limits.token === undefined ? () => true : bearerCheck(limits.token);
  let pendingBytes = 0;

  const loadOf = (entry: SpoolEntry): Loaded =>
    entry.path === '/v1/scores' ? scoreLoad(entry, limits) : exportLoad(entry, limits);

  const hold = ({ rows, refused }: Load<ReceivedRecord>) => intake.hold(rows.length + refused.length);

  /** Store a request and give it to the run. */
  const store = async (entry: SpoolEntry): Promise<Answer> => {
    if (!(await intake.room(limits.maxWaitMs))) return intake.isOpen() ? answers.full : answers.away;
    const { answer, load, refusedVerdicts = 0 } = loadOf(entry);
    for (let n = 0; n < refusedVerdicts; n++) intake.count('refused_verdict');
    if (!load) return answer;
    const held = hold(load);
    if (!held) return answers.away;
    if (spool) return spooled(spool, entry, held, load).then((fault) => fault ?? answer);
    const stored = held.give(load).then(() => answer);
    return within(limits.maxStoreMs, stored, { ...answers.away, message: 'the spans are not stored yet' });
  };

  /** Answered as soon as the request is on the disk. Gives what is wrong when it is not. */
  const spooled = async (to: Spool, entry: SpoolEntry, held: Held<ReceivedRecord>, load: Load<ReceivedRecord>) => {
    try {
      const done = await to.append(entry);
      void held.give(load).then(done);
      return undefined;
    } catch (error) {
      held.drop();
      intake.count('unspooled');
      return error instanceof TracemillError && error.reason === 'spool_full' ? answers.full : answers.away;
    }
  };

  const answer = async (request: Request): Promise<Answer> => {
    const path = new URL(request.url).pathname;
    const refused = refusalOf(request, path, isAllowed);
    if (refused) return refused;
    if (Number(request.headers.get('content-length') ?? 0) > limits.maxBodyBytes) return tooLarge(limits.maxBodyBytes);
    if (!intake.isOpen()) return answers.away;
    let taken = 0;
    const take = (bytes: number): boolean => {
      if (pendingBytes + bytes > limits.maxPendingBytes) return false;
      taken += bytes;
      pendingBytes += bytes;
      return true;
    };
    try {
      const body = await readBody(request.body, { maxBytes: limits.maxBodyBytes, maxMs: limits.maxBodyMs, take });
      if (typeof body === 'string') return faultAnswer(body, limits.maxBodyBytes);
      const type = request.headers.get('content-type') ?? '';
      const encoding = request.headers.get('content-encoding') ?? '';
      return await store({ path, type, encoding, receivedMs: clock(), body });
    } finally {
      pendingBytes -= taken;
    }
  };

  return {
    source: unpacked(intake.source),
    packed: intake.source,
    async fetch(request) {
      const said = await answer(request);
      intake.count(`answered_${said.status ?? 200}`);
      return responseOf(request, said, limits.retryAfterS);
    },
    async replay() {
      await intake.opened;
      let requests = 0;
      for await (const { entry, done } of spool?.left() ?? []) {
        requests++;
        while (!(await intake.room(60_000))) if (intake.isOver()) return requests;
        const { load = { rows: [], refused: [] } } = loadOf(entry);
        void hold(load)?.give(load).then(done);
      }
      return requests;
    },
    end: intake.end,
  };
}

const unpacked =
  (source: Source<ReceivedRecord>): Source<OtlpRecord> =>
  (run) =>
    source(run).pipe(
      map(({ rows, lost }) => ({ rows: rows.pipe(map(({ row, receipt }) => ({ row: opened(row), receipt }))), lost })),
    );

async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
