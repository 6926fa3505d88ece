import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, textOf, written } from '../fields.ts';
import { containerOf, parsedOf } from '../json-text.ts';
import { payloadNames } from '../spans/generic.ts';
import type { PlacedSpan } from './span-group.ts';

/** What a tool span says of the call it ran. */
export interface ToolRun {
  readonly id: string | undefined;
  readonly name: string;
  /** Gives undefined when the span does not say. Few are asked: most calls say their own. */
  readonly givenArguments: () => JsonObject | undefined;
  readonly result: { readonly value: unknown } | undefined;
  readonly start: bigint | undefined;
}

const names = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name'];
const ids = ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id'];
const given = [
  ...['gen_ai.tool.call.arguments', 'gen_ai.tool.input', 'tool.input', 'tool_arguments', 'ai.toolCall.args'],
  ...['ai.toolCall.input', 'gcp.vertex.agent.tool_call_args'],
  ...payloadNames.map(([, input]) => input),
];
const answered = [
  ...['gen_ai.tool.call.result', 'gen_ai.tool.output', 'tool.output', 'tool_response', 'ai.toolCall.result'],
  ...['ai.toolCall.output', 'gcp.vertex.agent.tool_response'],
  ...payloadNames.map(([, , output]) => output),
];

/** Read a tool span: its own attribute names first, then the generic payloads. */
export function toolRun(span: PlacedSpan): ToolRun {
  const { attributes, name, start } = span;
  const raw = firstOf(attributes, answered);
  const value = raw === undefined ? undefined : unwrapped(parsedOf(raw));
  const failed = failureOf(span, value);
  const id = firstOf(attributes, ids);
  return {
    id: id === undefined ? undefined : written(id),
    name: textOf(firstOf(attributes, names)) ?? name.replace(/^(execute_tool|running tool:?)\s+/, ''),
    givenArguments: () => argumentsOf(attributes),
    result: failed ? { value: failed } : value === undefined ? undefined : { value },
    start,
  };
}

function argumentsOf(attributes: JsonObject): JsonObject | undefined {
  const raw = firstOf(attributes, given);
  if (raw === undefined) return undefined;
  const value = containerOf(raw);
  if (!isObject(value)) return raw === '' ? {} : { input: parsedOf(value) };
  return unwrappedArguments(value);
}

/** How stacks wrap the arguments of a function: positional beside named ones, a text beside its parse. */
function unwrappedArguments(value: JsonObject): JsonObject {
  if (isObject(value['kwargs'])) {
    const [only] = listOf(value['args']);
    const named = Object.keys(value['kwargs']).length > 0;
    if (named || only === undefined) return value['kwargs'];
    return isObject(only) ? only : { input: only };
  }
  if (isObject(value['inputs'])) return value['inputs'];
  if (typeof value['input_str'] === 'string') {
    const parsed = containerOf(value['input_str']);
    return isObject(parsed) ? parsed : { input: value['input_str'] };
  }
  return value;
}

/** LangChain answers with a message, Traceloop with `{output, kwargs}`: what the tool said stands inside. */
function unwrapped(value: unknown): unknown {
  if (!isObject(value)) return value;
  const onlyOutput = 'output' in value && Object.keys(value).every((key) => key === 'output' || key === 'kwargs');
  if (onlyOutput) return unwrapped(parsedOf(value['output']));
  const isMessage = Array.isArray(value['id']) && written(value['id'].at(-1)).startsWith('ToolMessage');
  if (isMessage) return parsedOf(fieldsOf(value['kwargs'])['content']);
  if (value['type'] === 'tool' && 'tool_call_id' in value) return parsedOf(value['content']);
  return value;
}

/** A failed run is an error whatever it returned, unless the tool itself says how it ended. */
function failureOf(span: PlacedSpan, value: unknown): JsonObject | undefined {
  const { attributes, events, failed, statusMessage } = span;
  const type = textOf(attributes['error.type']);
  const status = /^(error|failed|failure)$/i.test(written(attributes['gen_ai.tool.status'] ?? ''));
  const level = attributes['langfuse.observation.level'] === 'ERROR';
  if (!failed && type === undefined && !status && !level) return undefined;
  if (isObject(value) && textOf(value['status']) !== undefined) return undefined;
  const thrown = events.flatMap((event) => textOf(event.attributes['exception.message']) ?? []).at(-1);
  const said = thrown ?? textOf(statusMessage) ?? textOf(attributes['langfuse.observation.status_message']) ?? type;
  const text = said ?? (typeof value === 'string' ? value : value === undefined ? 'failed' : stringifyJson(value));
  return { status: 'error', error: text, ...(value === undefined || value === null ? {} : { output: value }) };
}
