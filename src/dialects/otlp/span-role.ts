import { entryOf, type JsonObject, written } from '../fields.ts';
import type { SpanView } from './span-view.ts';

/** What a span stands for in a run. */
export type SpanRole = 'llm' | 'tool' | 'agent' | 'chain' | 'retriever' | 'embedding' | 'other';

type Words = Readonly<Record<string, SpanRole>>;
const operations: Words = {
  chat: 'llm',
  generate_content: 'llm',
  text_completion: 'llm',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  invoke_workflow: 'agent',
  agent_step: 'agent',
  plan: 'agent',
  embeddings: 'embedding',
  retrieval: 'retriever',
  rerank: 'retriever',
};
const kinds: Words = {
  llm: 'llm',
  generation: 'llm',
  tool: 'tool',
  agent: 'agent',
  chain: 'chain',
  span: 'chain',
  workflow: 'chain',
  task: 'chain',
  retriever: 'retriever',
  reranker: 'retriever',
  embedding: 'embedding',
};

const openinferenceKinds: Words = { ...kinds, span: 'other', generation: 'other' };

/** A word of one vocabulary: undefined when the attribute is absent, `other` when it is there and says nothing we use. */
const word = (value: unknown, words: Words): SpanRole | undefined =>
  typeof value === 'string' && value !== '' ? (entryOf(words, value.toLowerCase()) ?? 'other') : undefined;

const toolNames =
  /^(gen_ai\.tool\.(name|call\..*|input|output|status)|tool\.(name|input|output)|tool_arguments|tool_response|ai\.toolCall\..*|gcp\.vertex\.agent\.tool_(call_args|response))$/;
const messageNames =
  /^(gen_ai\.(input|output)\.messages|gen_ai\.(prompt|completion)(\..*)?|llm\.(input|output)_messages\..*|ai\.prompt(\.messages)?|ai\.response\.(text|toolCalls|object)|gcp\.vertex\.agent\.llm_(request|response)|events)$/;
const messageEvents =
  /^gen_ai\.(system|user|assistant|tool)\.message$|^gen_ai\.(choice|content\.(prompt|completion)|client\.inference\.operation\.details)$/;

/** The vocabularies in the order they are asked; the first that says something decides. */
const vocabularies: readonly ((attributes: JsonObject) => SpanRole | undefined)[] = [
  (attributes) => entryOf(operations, written(attributes['gen_ai.operation.name'])),
  (attributes) => word(attributes['openinference.span.kind'], openinferenceKinds),
  (attributes) => word(attributes['langfuse.observation.type'], kinds),
  (attributes) => word(attributes['langsmith.span.kind'], kinds),
  (attributes) => word(attributes['traceloop.span.kind'], kinds),
  (attributes) => (/^(chat|completion)$/.test(written(attributes['llm.request.type'])) ? 'llm' : undefined),
  (attributes) => ofOperationId(written(attributes['ai.operationId'] ?? '')),
  (attributes) => (some(attributes, toolNames) ? 'tool' : undefined),
  (attributes) =>
    'pydantic_ai.all_messages' in attributes || 'all_messages_events' in attributes ? 'agent' : undefined,
  (attributes) => (some(attributes, messageNames) ? 'llm' : undefined),
];

/**
 * Say what a span stands for, from its attributes and events alone, never from its scope or name.
 *
 * @source OpenTelemetry GenAI semantic conventions; OpenInference, Langfuse, LangSmith, Traceloop and AI SDK attribute names
 */
export function roleOf({ attributes, events }: SpanView): SpanRole {
  for (const ask of vocabularies) {
    const role = ask(attributes);
    if (role !== undefined) return role;
  }
  return events.some(({ name }) => messageEvents.test(name)) ? 'llm' : 'other';
}

const some = (attributes: JsonObject, names: RegExp) => Object.keys(attributes).some((name) => names.test(name));

function ofOperationId(id: string): SpanRole | undefined {
  if (/\.do(Generate|Stream)$/.test(id)) return 'llm';
  if (id === 'ai.toolCall') return 'tool';
  if (id.startsWith('ai.embed')) return 'embedding';
  return /^ai\.(generate|stream)/.test(id) ? 'agent' : undefined;
}
