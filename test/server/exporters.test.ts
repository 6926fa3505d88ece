import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { node, tracing } from '@opentelemetry/sdk-node';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it, onTestFinished } from 'vitest';
import { listening } from './listening.ts';

const exporters = { json: JsonExporter, protobuf: ProtobufExporter };
type Exporter = keyof typeof exporters;

function tracer(kind: Exporter, url: string, compression = 'none') {
  const exporter = new exporters[kind]({ url: `${url}/v1/traces`, compression: compression as never });
  const provider = new node.NodeTracerProvider({ spanProcessors: [new tracing.BatchSpanProcessor(exporter)] });
  provider.register(); // its spans know their parents then
  onTestFinished(() => [trace, context, propagation].forEach((api) => void api.disable()));
  return { tracer: provider.getTracer('test'), shutdown: () => provider.shutdown() };
}
const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const ways = (['json', 'protobuf'] as const).flatMap((kind) => ['none', 'gzip'].map((how) => [kind, how] as const));
it.each(ways)('takes what the Node exporter sends as %s, compression %s', async (kind, compression) => {
  const { url, requests, end } = await listening();
  const { tracer: own, shutdown } = tracer(kind, url, compression);
  own
    .startSpan('chat', {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'c',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.input.messages': said('user', 'Where is it?'),
        'gen_ai.output.messages': said('assistant', 'Here.'),
      },
    })
    .end();
  await shutdown();
  const [row, ...others] = await end();
  expect(row).toMatchObject({
    ...{ prompt: 'Where is it?', final_text: 'Here.', conversation_id: 'c' },
    usage: { input_tokens: 7 },
  });
  expect([others.length, requests.map(({ encoding }) => encoding || 'none')]).toEqual([0, [compression]]);
});

it('is sent everything again by a real exporter that it sent away', async () => {
  const { url, requests, end } = await listening(1);
  const { tracer: own, shutdown } = tracer('protobuf', url);
  own.startSpan('chat', { attributes: { 'gen_ai.input.messages': said('user', 'go') } }).end();
  await shutdown();
  expect([(await end()).length, requests.length]).toEqual([1, 1]);
});

it('reads an agent of the AI SDK: its call, its answer, its tokens once', async () => {
  const { url, end } = await listening();
  const { tracer: own, shutdown } = tracer('json', url);
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 5, text: 5, reasoning: undefined },
  };
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'find', input: '{"id":7}' } as const;
  const turns = [
    { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] },
    {
      content: [{ type: 'text', text: 'Here.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  ] as const;
  const model = new MockLanguageModelV3({ doGenerate: turns.map((turn) => ({ ...turn })) as never });
  const find = tool({
    description: 'Finds an order.',
    inputSchema: jsonSchema<{ id: number }>({ type: 'object', properties: { id: { type: 'number' } } }),
    execute: async ({ id }) => ({ id, place: 'shelf' }),
  });
  const telemetry = { isEnabled: true, tracer: own, functionId: 'shop', metadata: { sessionId: 'c' } };
  await generateText({
    ...{ model, prompt: 'Where is it?', tools: { find }, stopWhen: stepCountIs(3) },
    experimental_telemetry: telemetry,
  });
  await shutdown();
  expect(await end()).toMatchObject([
    {
      ...{ prompt: 'Where is it?', final_text: 'Here.', conversation_id: 'c', agent: 'shop' },
      steps: [{ tool: 'find', arguments: { id: 7 }, result: { id: 7, place: 'shelf' } }],
      usage: { input_tokens: 20, output_tokens: 10 },
    },
  ]);
});
