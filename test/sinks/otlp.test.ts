import { expect, it } from 'vitest';
import { sessionRows } from '../../src/dialects/otlp/session-rows.ts';
import type { Row } from '../../src/rows/row.ts';
import { serveOtlp } from '../../src/server/otlp-server.ts';
import { otlpSink } from '../../src/sinks/otlp.ts';
import { scene } from '../sources/otlp-scene.ts';

const rows: readonly Row[] = ['r1', 'r2'].map((rollout_id) => ({
  schema_version: '1',
  rollout_id,
  scenario_id: 's1',
  prompt: 'Where is it?',
  steps: [{ tool: 'find', arguments: { id: 7 }, result: { state: 'sent', big: 9007199254740993n } }],
  final_text: `It was sent, ${rollout_id}.`,
  model_version: 'm-1',
  reward: 1,
  judge_status: 'ok',
  judge_name: 'rubric',
  reason: 'right',
  markers: { polite: 1 },
  usage: { input_tokens: 30, output_tokens: 9 },
  finish_reason: 'stop',
}));

it.each([{ gzip: false }, { gzip: true }])(
  'sends rollouts to a receiver, where they are the same rows: %j',
  async (config) => {
    const { receiver, records, end } = scene();
    const server = await serveOtlp(receiver, { port: 0 });
    const sink = otlpSink({ url: `${server.url}/v1/traces`, ...config });
    await sink.write(rows);
    await sink.write(rows.slice(0, 1)); // sent again: the same trace
    await sink.close();
    await server.close();
    await end();
    const back = sessionRows(records as never).sort((a, b) => (String(a.rollout_id) < String(b.rollout_id) ? -1 : 1));
    expect(back).toMatchObject(rows);
  },
);

it('fails in words, to be tried again, when nobody takes the spans', async () => {
  const sink = otlpSink({ url: 'http://127.0.0.1:9/v1/traces', timeoutMs: 100 });
  await expect(sink.write(rows)).rejects.toMatchObject({ code: 'TM_SINK', retriable: true });
  await sink.close();
});
