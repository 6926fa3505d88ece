import { createHash } from 'node:crypto';

export type SpanRecord = Readonly<Record<string, unknown>>;

const hex = (text: string, digits: number) => createHash('sha256').update(text).digest('hex').slice(0, digits);
const said = (...parts: readonly (readonly [role: string, part: object])[]) =>
  JSON.stringify(parts.map(([role, part]) => ({ role, parts: [part] })));
const text = (content: string) => ({ type: 'text', content });

/**
 * What a small agent sends of one talk, as it is decoded: the agent, a model that calls a tool, the tool, a span of a
 * library between, the model that answers, and a verdict as a log record. One talk is one trace; only the agent names it.
 */
export function talk(name: string, atMs = 0): readonly SpanRecord[] {
  const trace_id = hex(name, 32);
  const call = { type: 'tool_call', id: `call-${name}`, name: 'find', arguments: { name } };
  const result = { type: 'tool_call_response', id: `call-${name}`, response: { place: 'here' } };
  const ask = ['user', text(`Where is ${name}?`)] as const;
  const span = (id: number, parent: number | null, from: number, to: number, operation: string, more: object) => ({
    trace_id,
    span_id: hex(`${name} ${id}`, 16),
    parent_span_id: parent === null ? null : hex(`${name} ${parent}`, 16),
    name: operation,
    kind: 1,
    start_time_unix_nano: `${1_760_000_000_000 + atMs + from}000000`,
    end_time_unix_nano: `${1_760_000_000_000 + atMs + to}000000`,
    attributes: { ...(operation === 'POST' ? {} : { 'gen_ai.operation.name': operation }), ...more },
    dropped_attributes_count: 0,
    events: [],
    dropped_events_count: 0,
    links: [],
    status: { code: 0, message: '' },
    resource: { attributes: { 'service.name': 'finder' } },
    scope: { name: 'test', version: '1', attributes: {} },
  });
  const usage = (input: number, output: number) => ({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
  });
  const key = { 'gen_ai.conversation.id': `talk-${name}` };
  return [
    span(1, null, 0, 9, 'invoke_agent', { ...key, ...usage(30, 12) }),
    span(2, 1, 1, 3, 'chat', {
      'gen_ai.input.messages': said(ask),
      'gen_ai.output.messages': said(['assistant', call]),
      ...usage(10, 5),
    }),
    span(3, 1, 4, 6, 'execute_tool', {
      'gen_ai.tool.name': 'find',
      'gen_ai.tool.call.id': `call-${name}`,
      'gen_ai.tool.call.arguments': JSON.stringify({ name }),
      'gen_ai.tool.call.result': JSON.stringify({ place: 'here' }),
    }),
    span(4, 1, 6, 8, 'POST', {}),
    span(5, 4, 6, 8, 'chat', {
      'gen_ai.input.messages': said(ask, ['assistant', call], ['tool', result]),
      'gen_ai.output.messages': said(['assistant', text(`${name} is here.`)]),
      ...usage(20, 7),
    }),
    {
      trace_id,
      span_id: hex(`${name} 1`, 16),
      event_name: 'gen_ai.evaluation.result',
      time_unix_nano: `${1_760_000_000_000 + atMs + 9}000000`,
      attributes: { 'gen_ai.evaluation.name': 'polite', 'gen_ai.evaluation.score.value': 1 },
      body: null,
    },
  ];
}
