import type { Sink } from '../core/to-sink.ts';
import type { TimeBook } from '../rows/rollout-times.ts';
import type { Row } from '../rows/row.ts';
import { otlpSink } from '../sinks/otlp.ts';
import type { Io } from './io.ts';

type Sinks = Readonly<Record<string, Sink<never>>>;
type Environment = Readonly<Record<string, string | undefined>>;

interface Sending {
  /** When rollouts were played and judged. */
  readonly times?: TimeBook | undefined;
  readonly env?: Environment;
  readonly spans?: () => Sink<Row>;
}

/** Kinds of rows that a run of our own makes. Traces of others are not sent on. */
const own = ['rollouts', 'graded'];

/**
 * Send what a run makes as spans, too, where the environment names an OpenTelemetry endpoint
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`). Rows come first: an endpoint that does not take
 * the spans is named once, nothing more is sent to it, and no row is lost.
 */
export function alsoSpans(
  sinks: Sinks,
  { say }: Pick<Io, 'say'>,
  { times, env = process.env, spans = () => otlpSink({}, times && { times }) }: Sending = {},
): Sinks {
  if (!isWanted(env)) return sinks;
  const withSpans = ([kind, sink]: [string, Sink<never>]) => [
    kind,
    own.includes(kind) ? both(sink as Sink<Row>, spans(), say) : sink,
  ];
  return Object.fromEntries(Object.entries(sinks).map(withSpans));
}

function isWanted(env: Environment): boolean {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return Boolean(endpoint) && env['OTEL_SDK_DISABLED'] !== 'true' && env['OTEL_TRACES_EXPORTER'] !== 'none';
}

function both(rows: Sink<Row>, spans: Sink<Row>, say: (line: string) => void): Sink<Row> {
  let isRefused = false;
  return {
    async write(batch, origins) {
      await rows.write(batch, origins);
      if (isRefused) return;
      try {
        await spans.write(batch);
      } catch (error) {
        isRefused = true;
        say(`No more spans are sent: ${(error as Error).message}. The rows are not concerned.`);
      }
    },
    ...(rows.finish && { finish: () => rows.finish?.() ?? Promise.resolve() }),
    async close() {
      await Promise.all([rows.close(), spans.close().catch(() => {})]); // they were sent, or it was said that they were not
    },
  };
}
