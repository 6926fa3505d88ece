import { z } from 'zod';
import { type Clock, systemClock } from '../core/clock.ts';
import { TracemillError } from '../core/errors.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import type { DecodedSpan } from '../dialects/otlp/decoded-span.ts';
import { spansOfRow } from '../dialects/otlp/spans-of-row.ts';
import type { TimeBook } from '../rows/rollout-times.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  url: z
    .url()
    .optional()
    .describe('Where traces are sent to, path and all. Without it the OTEL_EXPORTER_OTLP_* variables say where.'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers of every request, such as authorization.'),
  gzip: z.boolean().default(false).describe('Pack what is sent.'),
  timeoutMs: z.int().min(1).default(10_000).describe('How long a request may take with all its tries, in ms.'),
  maxBatchSpans: z.int().min(1).default(512).describe('Spans in one request.'),
});

/** What the exporter of OpenTelemetry needs, and a test can give. */
export interface SpanExporterPort {
  export(spans: never[], done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  shutdown(): Promise<void>;
}
interface Ports {
  /** When rollouts of this process were played and judged. Of others only the order is told. */
  readonly times?: Pick<TimeBook, 'of'>;
  readonly exporter?: SpanExporterPort;
  readonly clock?: Clock;
}

/**
 * Send rollouts as spans of the GenAI conventions to any OpenTelemetry endpoint: the agent, the calls of its model and its
 * tools, the verdict, the markers. A rollout sent again is the same trace. Memory: one batch.
 *
 * @throws TM_SINK - retriable: the endpoint does not take them
 */
export function otlpSink(
  config: z.input<typeof options> = {},
  { exporter, times, clock = systemClock }: Ports = {},
): Sink<Row> {
  const { url, headers, gzip, timeoutMs, maxBatchSpans } = parseOptions('otlp', options, config);
  let made: Promise<Sender> | undefined;
  const sender = (): Promise<Sender> => {
    made ??= makeSender({ ...(url && { url }), ...(headers && { headers }), gzip, timeoutMs }, exporter);
    return made;
  };
  return {
    async write(rows) {
      const spans = rows.flatMap((row) =>
        spansOfRow(row, BigInt(clock()) * 1_000_000n, times?.of(String(row.rollout_id))),
      );
      const { send } = await sender();
      for (let from = 0; from < spans.length; from += maxBatchSpans)
        await send(spans.slice(from, from + maxBatchSpans));
    },
    async close() {
      await (await made)?.close();
    },
  };
}

interface Sender {
  readonly send: (spans: readonly DecodedSpan[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
interface Sending {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly timeoutMs: number;
}

/** The packages are large, and loaded when the first span is sent. */
async function makeSender({ url, headers, gzip, timeoutMs }: Sending, given?: SpanExporterPort): Promise<Sender> {
  const { resources } = await import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const compression = (gzip ? 'gzip' : 'none') as never; // an enum of a package that is not ours to name
  const exporter: SpanExporterPort =
    given ??
    new OTLPTraceExporter({ ...(url && { url }), ...(headers && { headers }), compression, timeoutMillis: timeoutMs });
  const resourceOf = (span: DecodedSpan) => resources.resourceFromAttributes(span.resource.attributes as never);
  const send = (spans: readonly DecodedSpan[]) =>
    new Promise<void>((resolve, reject) => {
      exporter.export(spans.map((span) => readable(span, resourceOf(span))) as never[], ({ code, error }) => {
        if (code === 0) resolve();
        else
          reject(
            new TracemillError('TM_SINK', `spans were not taken: ${error?.message ?? 'no reason given'}`, {
              cause: error,
              retriable: true,
            }),
          );
      });
    });
  return { send, close: () => exporter.shutdown() };
}

/** A span as the SDK hands it to its exporters. */
function readable(span: DecodedSpan, resource: unknown) {
  const context = { traceId: span.trace_id, traceFlags: 1, isRemote: false };
  return {
    name: span.name,
    kind: span.kind - 1, // the API counts from 0, the protocol from 1
    spanContext: () => ({ ...context, spanId: span.span_id }),
    ...(span.parent_span_id !== null && { parentSpanContext: { ...context, spanId: span.parent_span_id } }),
    startTime: timeOf(span.start_time_unix_nano),
    endTime: timeOf(span.end_time_unix_nano),
    duration: timeOf(String(BigInt(span.end_time_unix_nano) - BigInt(span.start_time_unix_nano))),
    status: span.status,
    attributes: span.attributes,
    links: [],
    events: span.events.map(({ name, time_unix_nano, attributes }) => ({
      name,
      attributes,
      time: timeOf(time_unix_nano),
    })),
    ended: true,
    resource,
    instrumentationScope: { name: span.scope.name, version: span.scope.version },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };
}

const second = 1_000_000_000n;
const timeOf = (ns: string): [number, number] => [Number(BigInt(ns) / second), Number(BigInt(ns) % second)];
