import { messageType } from '../../src/dialects/otlp/protobuf-messages.ts';

/** One export as a sender makes it: up to 512 spans of many conversations. */
export interface Export {
  readonly body: Uint8Array;
  readonly spans: number;
}

const perConversation = 10;
const perExport = 512;
const together = 256; // conversations whose spans come mixed
const request = messageType('TraceRequest');

/**
 * Exports of conversations of ten spans: an agent, five model calls with the growing history, four tool calls. A fifth of
 * them name a person's address, one of a hundred a key. Ids and times follow from their number alone.
 */
export function* exportsOf(spans: number): Generator<Export> {
  let batch: object[] = [];
  for (let first = 0; first * perConversation < spans; first += together)
    for (let step = 0; step < perConversation; step++)
      for (let n = first; n < first + together && n * perConversation < spans; n++) {
        batch.push(spanOf(n, step));
        if (batch.length === perExport) {
          yield encoded(batch);
          batch = [];
        }
      }
  if (batch.length > 0) yield encoded(batch);
}

function encoded(spans: readonly object[]): Export {
  const resource = { attributes: attributesOf({ 'service.name': 'shop', 'host.name': 'node-7' }) };
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'agent', version: '1' }, spans }] }] };
  return { body: request.encode(request.fromObject(body)).finish(), spans: spans.length };
}

function spanOf(n: number, step: number): object {
  const at = 1_760_000_000_000_000_000n + BigInt(n) * 4_000_000n + BigInt(step) * 200_000_000n;
  const kind = step === 9 ? 'invoke_agent' : step % 2 === 0 ? 'chat' : 'execute_tool';
  return {
    traceId: bytesOf(n + 1, 16),
    spanId: bytesOf(n * perConversation + step + 1, 8),
    ...(step < 9 && { parentSpanId: bytesOf(n * perConversation + 10, 8) }),
    name: kind,
    kind: 1,
    startTimeUnixNano: String(kind === 'invoke_agent' ? at - 2_000_000_000n : at),
    endTimeUnixNano: String(at + 150_000_000n),
    flags: 257,
    status: { code: 0 },
    attributes: attributesOf({
      'gen_ai.operation.name': kind,
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': `conversation-${n}`,
      'gen_ai.agent.name': 'shop-agent',
      'server.address': 'api.openai.example',
      ...(kind === 'chat' ? chat(n, step / 2) : kind === 'execute_tool' ? tool(n, (step - 1) / 2) : {}),
    }),
  };
}

const message = (role: string, part: object) => ({ role, parts: [part] });
const call = (n: number, at: number) => ({
  id: `call_${n}_${at}`,
  name: 'find_order',
  arguments: { order: n, page: at },
});
const answer = (n: number, at: number) =>
  `order ${n} page ${at}: two shirts, size M, shipped on Monday from the store in Ghent, arrives in 3 days`;

function chat(n: number, turn: number): object {
  const person = n % 5 === 0 ? ` Write to jo.${n}@mail.example when it is there.` : '';
  const key = n % 100 === 0 ? ` My key is sk-proj-abcdefghijkl${String(n).padStart(10, '0')}.` : '';
  const ask = `Where is my order ${n}? I ordered two shirts last week and heard nothing since then.${person}${key}`;
  const history = [message('user', { type: 'text', content: ask })];
  for (let at = 0; at < turn; at++)
    history.push(
      message('assistant', { type: 'tool_call', ...call(n, at) }),
      message('tool', { type: 'tool_call_response', id: `call_${n}_${at}`, response: answer(n, at) }),
    );
  const last = turn === 4;
  const reply = last
    ? message('assistant', { type: 'text', content: `Your order ${n} is on its way and arrives in three days.` })
    : message('assistant', { type: 'tool_call', ...call(n, turn) });
  return {
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
    'gen_ai.response.id': `response-${n}-${turn}`,
    'gen_ai.usage.input_tokens': 200 + turn * 80,
    'gen_ai.usage.output_tokens': 40,
    'gen_ai.input.messages': JSON.stringify(history),
    'gen_ai.output.messages': JSON.stringify([{ ...reply, finish_reason: last ? 'stop' : 'tool_call' }]),
  };
}

function tool(n: number, at: number): object {
  const { id, name, arguments: given } = call(n, at);
  return {
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': JSON.stringify(given),
    'gen_ai.tool.call.result': answer(n, at),
    'gen_ai.tool.description':
      'Finds an order of the customer by its number and tells what is known of its way.'.repeat(6),
  };
}

const attributesOf = (values: object) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: String(value) },
  }));

function bytesOf(n: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(0xabcdef01, 0);
  bytes.writeUInt32BE(n, length - 4);
  return bytes;
}
