import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeOtlpRequest } from '../../../src/dialects/otlp/request.ts';
import { sessionRows } from '../../../src/dialects/otlp/session-rows.ts';

interface Recorded {
  readonly path: string;
  readonly type: string;
  readonly encoding: string;
  /** Base64. */
  readonly body: string;
}

/** What exporters sent to us, byte for byte: `RECORD_EXPORTERS=1 npm run test:e2e -- otlp-exporters` records them again. */
const recorded = (name: string) =>
  (JSON.parse(readFileSync(`test/fixtures/otlp/${name}.json`, 'utf8')) as readonly Recorded[]).flatMap(
    ({ path, type, encoding, body }) => {
      const headers = { 'content-type': type, 'content-encoding': encoding };
      const { status, spans } = decodeOtlpRequest({ method: 'POST', path, headers, body: Buffer.from(body, 'base64') });
      expect(status).toBe(200);
      return spans;
    },
  );

const said = { prompt: 'Where is it?', final_text: 'Here.', conversation_id: 'c', finish_reason: 'stop' };
const called = {
  steps: [{ tool: 'find', arguments: { id: 7 }, result: 'shelf' }],
  usage: { input_tokens: 20, output_tokens: 10 },
  model_version: 'm',
};
const { finish_reason: _, ...plain } = said;

it.each([
  ['python-none', { ...plain, steps: [], span_counts: { spans: 2, orphans: 0 } }],
  ['python-openllmetry', { ...said, ...called, span_counts: { spans: 3, orphans: 0 } }],
  ['python-openinference', { ...said, ...called, span_counts: { spans: 3, orphans: 0 } }],
])('gives the row of what %s exported', (name, row) => {
  expect(sessionRows(recorded(name) as never)).toMatchObject([row]);
});
