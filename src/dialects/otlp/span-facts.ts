import { entryOf, fieldsOf, firstOf, type JsonObject, listOf, present, textOf, written } from '../fields.ts';
import { indexedList } from '../indexed-attributes.ts';
import { containerOf } from '../json-text.ts';
import { owners } from '../name-traits.ts';
import { type ToolDefinition, toolsOf } from '../tool-definition.ts';
import type { PlacedSpan } from './span-group.ts';
import { isEvaluation, type SpanEvent } from './span-view.ts';

const ownNames = (key: string) => owners.map((owner) => `${owner}.${key}`);
/** Attributes that the project, or the reference SDK, gives to spans of its own runs. Made once: a text that is made for each span is hashed for each look at its attributes. */
const own = {
  modelVersion: ownNames('model_version'),
  scenario: ownNames('scenario_id'),
  rollout: ownNames('rollout_id'),
  rolloutIndex: ownNames('rollout_index'),
  policyVersion: ownNames('policy_version'),
  reward: ownNames('reward'),
} as const;
const modelNames = [
  ...['gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id'],
  ...['langfuse.observation.model.name', 'ai.response.model'],
];

/** The model of the first main model span, unless a span says which version of the agent ran. */
export function modelOf(spans: readonly PlacedSpan[]): string | undefined {
  const version = firstIn(spans, own.modelVersion);
  if (version !== undefined) return written(version);
  const main = spans.filter(({ folded }) => !folded);
  const model = main.find(({ role }) => role === 'llm');
  if (model) return textOf(firstOf(model.attributes, modelNames));
  return main.flatMap(({ attributes }) => textOf(firstOf(attributes, modelNames)) ?? [])[0];
}

/** The task of the run, where a span names it. */
export function scenarioOf(spans: readonly PlacedSpan[]): string | undefined {
  const found = firstIn(spans, own.scenario);
  return found === undefined ? undefined : written(found);
}

/** The reward in [0, 1] of the latest verdict that came as an event, else of a root span, else of the last that has one. */
export function rewardOf(spans: readonly PlacedSpan[]): number | undefined {
  let latest: { readonly number: number; readonly time: bigint } | undefined;
  for (const { events } of spans)
    for (const { attributes, time = 0n } of events) {
      const number = rewardIn(attributes);
      if (number !== undefined && (latest === undefined || time >= latest.time)) latest = { number, time };
    }
  if (latest) return latest.number;
  let last: number | undefined;
  for (const { attributes, parent, traits } of spans) {
    if (!traits.isOwn) continue;
    const number = rewardIn(attributes);
    if (number !== undefined && !parent) return number;
    last = number ?? last;
  }
  return last;
}

/** What our own exporter says of a rollout, so that it comes back under its own name. */
export function ownRollout(spans: readonly PlacedSpan[]): JsonObject {
  const index = firstIn(spans, own.rolloutIndex);
  return present({
    rollout_id: textOf(firstIn(spans, own.rollout)),
    rollout_index: typeof index === 'number' ? index : undefined,
    policy_version: textOf(firstIn(spans, own.policyVersion)),
  });
}

/** The first value of one of our own names. */
function firstIn(spans: readonly PlacedSpan[], names: readonly string[]): unknown {
  for (const { attributes, traits } of spans) {
    if (!traits.isOwn) continue;
    const value = firstOf(attributes, names);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The verdict that our own exporter tells among the evaluation results; it is no marker. */
export function verdictIn(spans: readonly PlacedSpan[]): JsonObject {
  const said = spans.findLast(({ events }) => events.some(isVerdict))?.events.findLast(isVerdict)?.attributes;
  if (!said) return {};
  const name = textOf(said['gen_ai.evaluation.name']);
  return present({
    judge_status: textOf(said[judgeStatus]),
    judge_name: name === 'reward' ? undefined : name,
    reason: textOf(said['gen_ai.evaluation.explanation']),
  });
}

const judgeStatus = 'tracemill.judge_status';
const isVerdict = (event: SpanEvent) => isEvaluation(event) && judgeStatus in event.attributes;

function rewardIn(attributes: JsonObject): number | undefined {
  const value = firstOf(attributes, own.reward);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}

/** The agent's name: the first main span that gives one. */
export function agentOf(spans: readonly PlacedSpan[]): string | undefined {
  for (const { attributes, name, folded } of spans) {
    if (folded) continue;
    const entity = attributes['traceloop.span.kind'] === 'agent' ? attributes['traceloop.entity.name'] : undefined;
    const isAgent =
      attributes['openinference.span.kind'] === 'AGENT' || attributes['langfuse.observation.type'] === 'agent';
    const given = firstOf(attributes, ['gen_ai.agent.name', 'agent.name', 'agent_name', 'ai.telemetry.functionId']);
    const found = textOf(given) ?? textOf(entity) ?? (isAgent ? textOf(name) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

const declarations = ['gen_ai.tool.definitions', 'ai.prompt.tools'];

/** Every tool the main spans declare, the first of each name. */
export function toolsIn(spans: readonly PlacedSpan[]): ToolDefinition[] | undefined {
  const tools = new Map<string, ToolDefinition>();
  for (const { attributes, folded, traits } of spans) {
    if (folded || !(traits.lists.size > 0 || declarations.some((name) => name in attributes))) continue;
    const declared = [
      ...toolsOf(attributes['gen_ai.tool.definitions']),
      ...toolsOf(indexedList(attributes, 'llm.tools').map((one) => fieldsOf(fieldsOf(one)['tool'])['json_schema'])),
      ...toolsOf(listOf(containerOf(attributes['ai.prompt.tools']))),
      ...toolsOf(indexedList(attributes, 'llm.request.functions')),
    ];
    for (const tool of declared) if (!tools.has(tool.function.name)) tools.set(tool.function.name, tool);
  }
  return tools.size > 0 ? [...tools.values()] : undefined;
}

/** What evaluators said of the run, by name: OpenTelemetry evaluation events, OpenInference annotations and evaluations. */
export function markersIn(spans: readonly PlacedSpan[]): Readonly<Record<string, number>> | undefined {
  const markers = new Map<string, number>(); // names come from outside, `constructor` may be one
  for (const span of spans) {
    for (const event of span.events) {
      if (isVerdict(event)) continue;
      if (!isEvaluation(event)) continue;
      const said = { ...fieldsOf(event.body), ...event.attributes };
      mark(markers, said['gen_ai.evaluation.name'], said['gen_ai.evaluation.score.value']);
    }
    for (const { name, score } of opinions(span)) mark(markers, name, score);
  }
  return markers.size > 0 ? Object.fromEntries(markers) : undefined;
}

const opinionLists = ['', 'trace.', 'session.'].flatMap((scope) =>
  ['annotation', 'evaluation'].map((kind) => ({ kind, list: `${scope}${kind}s` })),
);
const opinions = ({ attributes, traits }: PlacedSpan): readonly JsonObject[] =>
  traits.lists.size > 0
    ? opinionLists.flatMap(({ kind, list }) =>
        indexedList(attributes, list).map((entry) => fieldsOf(fieldsOf(entry)[kind] ?? entry)),
      )
    : [];

function mark(markers: Map<string, number>, name: unknown, score: unknown): void {
  const value = typeof score === 'string' && score.trim() !== '' ? Number(score) : score;
  if (typeof name === 'string' && name !== '' && typeof value === 'number' && Number.isFinite(value))
    markers.set(name, value);
}

/** Why a run failed: what its failed root says. A tool that failed is the tool's affair. */
export function errorOf(spans: readonly PlacedSpan[]): { readonly type: string; readonly message: string } | undefined {
  const root = spans.find((span) => !span.parent && span.role !== 'tool' && (span.failed || isError(span.attributes)));
  if (!root) return undefined;
  const thrown = root.events.findLast(({ name }) => name === 'exception')?.attributes ?? {};
  const type = textOf(root.attributes['error.type']) ?? textOf(thrown['exception.type']) ?? 'error';
  const said = textOf(thrown['exception.message']) ?? textOf(root.statusMessage);
  return { type, message: said ?? textOf(root.attributes['langfuse.observation.status_message']) ?? type };
}

const isError = (attributes: JsonObject) => attributes['langfuse.observation.level'] === 'ERROR';

const finishes: Readonly<Record<string, string>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  stop_sequence: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  tool_calls: 'tool',
  tool_call: 'tool',
  tool_use: 'tool',
  'tool-calls': 'tool',
  function_call: 'tool',
  content_filter: 'error',
  'content-filter': 'error',
  error: 'error',
};

/** Read a provider's word for why it stopped as one of the four of the row schema. Undefined when it is unknown. */
export function finishReason(word: unknown): string | undefined {
  const first = Array.isArray(word) ? word[0] : word;
  if (typeof first !== 'string') return undefined;
  return entryOf(finishes, first) ?? entryOf(finishes, first.split(',')[0]?.trim().toLowerCase() ?? '');
}

/** The word a span itself gives for why its model stopped, where its messages do not. */
export function finishOf(attributes: JsonObject): unknown {
  return containerOf(
    firstOf(attributes, ['gen_ai.response.finish_reasons', 'ai.response.finishReason', 'llm.finish_reason']),
  );
}
