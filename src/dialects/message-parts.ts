import { stringifyJson } from '../core/json.ts';
import { callArguments } from './arguments.ts';
import { entryOf, fieldsOf, firstOf, isObject, type JsonObject, listOf, type Open, textOf, written } from './fields.ts';
import type { Call, Item, LeftOut, Result } from './item.ts';
import { containerOf, parsedOf } from './json-text.ts';

const callIds = ['call_id', 'tool_call_id', 'toolCallId', 'tool_use_id', 'callId', 'id'];
const callNames = ['name', 'toolName', 'tool_name'];
const argumentNames = ['arguments', 'args', 'input', 'parameters'];
const resultNames = ['response', 'result', 'output', 'content'];

const said = (part: JsonObject): Item[] => {
  const text = textOf(firstOf(part, ['text', 'content', 'value']));
  return text === undefined ? [] : [{ kind: 'text', text }];
};
const called = (part: JsonObject): Item[] => {
  const call = callOf(part);
  return call ? [call] : [];
};
const answered = (part: JsonObject): Item[] => answerIn(part, resultNames);
const silent = (): Item[] => [];

/** How a part of a message is read, by its `type`. Thoughts say nothing; an unknown type is looked at by its keys. */
const readers: Readonly<Record<string, (part: JsonObject) => Item[]>> = {
  text: said,
  input_text: said,
  output_text: said,
  refusal: (part) => said({ text: part['refusal'] ?? part['text'] }),
  reasoning: silent,
  thinking: silent,
  redacted_thinking: silent,
  compaction: silent,
  'step-start': silent,
  function: called,
  tool_call: (part) => called('value' in part ? fieldsOf(containerOf(part['value'])) : part),
  'tool-call': called,
  tool_use: called,
  server_tool_use: called,
  server_tool_call: called,
  mcp_tool_use: called,
  function_call: called,
  custom_tool_call: called,
  mcp_call: called,
  tool_call_response: answered,
  server_tool_call_response: answered,
  'tool-result': answered,
  'tool-error': (part) => answerIn({ ...part, is_error: true }, ['error', ...resultNames]),
  tool_result: answered,
  mcp_tool_result: answered,
  function_call_output: answered,
  custom_tool_call_output: answered,
};

const geminiMedia = ['inlineData', 'inline_data', 'fileData', 'file_data'];

/**
 * Read one part of a message. Text parts come back as `text` whoever speaks: the role is the message's. A part that holds
 * something else, such as a picture, comes back as `left_out`: nothing goes unsaid.
 */
export function itemsOfPart(part: unknown): Item[] {
  if (typeof part === 'string') return part === '' ? [] : [{ kind: 'text', text: part }];
  if (!isObject(part)) return [];
  const read = entryOf(readers, written(part['type'] ?? part['kind']));
  if (read) return read(part);
  const call = firstOf(part, ['functionCall', 'function_call', 'toolUse']);
  if (isObject(call)) return called(call);
  const response = firstOf(part, ['functionResponse', 'function_response', 'toolResult']);
  if (isObject(response)) return answered(response);
  if ('toolCallId' in part) return uiTool(part);
  if (isObject(part['function'])) return called(part);
  const type = textOf(part['type'] ?? part['kind']) ?? geminiMedia.find((name) => isObject(part[name]));
  if (type !== undefined) return [{ kind: 'left_out', type }];
  return part['thought'] !== true && typeof part['text'] === 'string' ? said(part) : [];
}

/** A tool part of an AI SDK interface message carries the call and, once there is one, its answer. */
function uiTool(part: JsonObject): Item[] {
  const name = textOf(part['toolName']) ?? written(part['type']).replace(/^tool-/, '');
  const call = callOf({ ...part, name });
  const failed = textOf(part['errorText']);
  const answer =
    failed !== undefined ? [resultOf({ ...part, name, output: failed, is_error: true }, ['output'])] : undefined;
  const result = 'output' in part ? [resultOf({ ...part, name }, ['output'])] : [];
  return [...(call ? [call] : []), ...(answer ?? result)];
}

/** Read a call from its own object or from the `function` inside it. Undefined when it names no tool. */
export function callOf(value: unknown): Call | undefined {
  const outer = fieldsOf(value);
  const inner = isObject(outer['function']) ? outer['function'] : outer;
  const name = textOf(firstOf(inner, callNames)) ?? textOf(outer['function']);
  if (name === undefined) return undefined;
  const id = firstOf(outer, callIds);
  const said = callArguments(firstOf(inner, argumentNames));
  // field by field: a spread costs more than all else that is done for a call
  const call: Open<Call> = { kind: 'call', name };
  if (id !== undefined) call.id = written(id);
  if (said.arguments !== undefined) call.arguments = said.arguments;
  if (said.arguments_raw !== undefined) call.arguments_raw = said.arguments_raw;
  if (said.encodings !== undefined) call.encodings = said.encodings;
  return call;
}

/** Read a tool's answer from the first of the fields `names`: JSON text is parsed, text parts are joined, failures are marked. */
export function resultOf(value: JsonObject, names: readonly string[]): Result {
  const id = firstOf(value, callIds);
  const name = textOf(firstOf(value, callNames));
  const given = names.find((key) => value[key] !== undefined);
  const typed = typedOutput(given === undefined ? undefined : value[given]);
  const failed = typed.failed || value['is_error'] === true || value['isError'] === true;
  const result: Open<Result> = { kind: 'result', value: failed ? failure(typed.value) : typed.value };
  if (id !== undefined) result.id = written(id);
  if (name !== undefined) result.name = name;
  return result;
}

/** An answer, and what of its parts is not in its value. */
function answerIn(part: JsonObject, names: readonly string[]): Item[] {
  const result = resultOf(part, names);
  return [result, ...leftOutOf(firstOf(part, names), result.value)];
}

/** The parts of an answer that its value leaves out: a list without words is kept as it is. */
export function leftOutOf(raw: unknown, value: unknown): readonly LeftOut[] {
  const list = isObject(raw) ? raw['value'] : raw;
  if (!Array.isArray(list) || list === value) return [];
  return list.flatMap(itemsOfPart).filter((item) => item.kind === 'left_out');
}

/** An AI SDK output says its type beside its value; other stacks answer with text, parts or plain data. */
function typedOutput(raw: unknown): { readonly value: unknown; readonly failed: boolean } {
  if (isObject(raw) && typeof raw['type'] === 'string' && 'value' in raw)
    return { value: answerValue(raw['value']), failed: raw['type'].startsWith('error') };
  return { value: answerValue(raw), failed: false };
}

function answerValue(raw: unknown): unknown {
  if (!Array.isArray(raw)) return parsedOf(raw ?? null);
  const texts = raw.flatMap(itemsOfPart).flatMap((item) => (item.kind === 'text' ? [item.text] : []));
  const areParts = raw.length > 0 && raw.every((part) => isObject(part) && typeof part['type'] === 'string');
  return areParts && texts.length > 0 ? parsedOf(texts.join('\n')) : raw;
}

/** Mark an answer as failed: an object gains `status` and `error`, anything else becomes the error's text. */
function failure(value: unknown): JsonObject {
  if (isObject(value))
    return { ...value, error: value['error'] ?? stringifyJson(value), status: value['status'] ?? 'error' };
  return { status: 'error', error: typeof value === 'string' ? value : stringifyJson(value) };
}

/** Every call of a list of `tool_calls`, however malformed its neighbours are. */
export const callsOf = (list: unknown): Call[] => listOf(containerOf(list)).flatMap((one) => callOf(one) ?? []);
