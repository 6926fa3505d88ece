import { expect, it } from 'vitest';
import { alsoSpans } from '../../src/cli/spans-out.ts';
import type { Sink } from '../../src/core/to-sink.ts';
import type { Row } from '../../src/rows/row.ts';
import { memorySink } from '../memory.ts';

const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const row: Row = { rollout_id: 'r' };

it('sends what a run makes as spans where an endpoint is named, and nothing else', async () => {
  const [graded, traces, spans] = [memorySink<Row>(), memorySink<Row>(), memorySink<Row>()];
  const sinks = { graded: graded as Sink<never>, traces: traces as Sink<never> };
  expect(alsoSpans(sinks, { say: () => {} }, { env: {}, spans: () => spans })).toBe(sinks);
  expect(alsoSpans(sinks, { say: () => {} }, { env: { ...env, OTEL_SDK_DISABLED: 'true' }, spans: () => spans })).toBe(
    sinks,
  );
  const both = alsoSpans(sinks, { say: () => {} }, { env, spans: () => spans }) as Record<string, Sink<Row>>;
  await both['graded']?.write([row]);
  await both['traces']?.write([row]);
  expect([graded.rows, traces.rows, spans.rows]).toEqual([[row], [row], [row]]);
});

it('says once that an endpoint takes no spans, and writes every row all the same', async () => {
  const [graded, spans, said] = [memorySink<Row>(), memorySink<Row>([new Error('nobody there')]), [] as string[]];
  const { graded: sink } = alsoSpans(
    { graded: graded as Sink<never> },
    { say: (line) => said.push(line) },
    { env, spans: () => spans },
  );
  await (sink as Sink<Row>).write([row]);
  await (sink as Sink<Row>).write([row]);
  await sink?.close();
  expect(graded.rows).toHaveLength(2);
  expect(said).toEqual([expect.stringMatching(/nobody there/)]);
  expect(spans.rows).toEqual([]);
});
