import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/** One tool call of a message. Arguments that are no object stay as the text they came as, and `arguments` is absent. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly arguments_raw?: string;
}

/** One tool result of a message. */
export interface Result {
  readonly id: string;
  readonly name: string;
  readonly result: unknown;
}

const callTypes: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'tool-call', 'function_call']);
const resultTypes: ReadonlySet<unknown> = new Set([
  'tool_result',
  'tool-result',
  'tool_call_response',
  'function_call_output',
]);
const callIds = ['call_id', 'tool_call_id', 'toolCallId', 'id'] as const; // Responses items have an `id` of their own beside it
const resultIds = ['tool_use_id', 'tool_call_id', 'call_id', 'toolCallId', 'id'] as const;
const names = ['name', 'toolName', 'tool_name'] as const;

/**
 * Read the calls of a message in every encoding met: blocks (Anthropic, Responses, AI SDK, OpenTelemetry parts, Gemini),
 * `tool_calls` nested or flat, the older `function_call`. A call given twice under one id counts once. What is no object
 * is no call; nothing throws.
 */
export function callsOf(message: JsonObject): readonly Call[] {
  const blocks = blocksOf(message).flatMap((block) => {
    if (callTypes.has(block['type'])) return [block];
    const gemini = block['functionCall'] ?? (block['type'] === undefined ? block['function_call'] : undefined);
    return isObject(gemini) ? [gemini] : [];
  });
  const listed = [message['tool_calls'], message['toolCalls']].flatMap((list) => (Array.isArray(list) ? list : []));
  const calls = [...blocks, ...listed, message['function_call']].filter(isObject).map(readCall);
  const seen = new Set<string>();
  return calls.filter(({ id }) => id === '' || (!seen.has(id) && seen.add(id)));
}

/** Read the tool results that ride in the blocks of a message. Text that is JSON is parsed; a failure says so in the result. */
export function resultsOf(message: JsonObject): readonly Result[] {
  return blocksOf(message).flatMap((block) => {
    const gemini = block['functionResponse'] ?? block['function_response'];
    if (isObject(gemini)) return [{ id: textOf(gemini['id']), name: first(gemini, names), result: gemini['response'] }];
    if (!resultTypes.has(block['type'])) return [];
    const value = block['content'] ?? block['response'] ?? block['result'] ?? block['output'];
    const { inner, failed } = unwrapped(value);
    const result = resultValue(inner);
    const isError = failed || block['is_error'] === true || block['isError'] === true;
    return [
      { id: first(block, resultIds), name: first(block, names), result: isError ? failedResult(result) : result },
    ];
  });
}

/**
 * Read a tool's answer: text that is JSON as what it says, a block list as the JSON or the words of its text, else as it
 * is. Digits survive.
 */
export function resultValue(value: unknown): unknown {
  const text = Array.isArray(value) && value.every(isObject) ? blockWords(value) : value;
  if (typeof text !== 'string') return text ?? '';
  try {
    return parseJson(text);
  } catch {
    return text; // plain words
  }
}

/** Say in the result itself that the call failed, where the message says it beside it. */
export function failedResult(result: unknown): JsonObject {
  const error = typeof result === 'string' ? result : stringifyJson(result ?? null);
  return isObject(result) ? { error, status: 'error', ...result } : { error, status: 'error' };
}

function readCall(call: JsonObject): Call {
  const inner = isObject(call['function']) ? call['function'] : call;
  const given = inner['arguments'] ?? inner['input'] ?? inner['args'];
  return { id: first(call, callIds), name: first(inner, names), ...readArguments(given) };
}

/**
 * Read the arguments of a call: an object, or text (of text) that says one. Blank or missing is a call without arguments;
 * anything else is kept word for word as `arguments_raw`.
 */
export function readArguments(given: unknown): Pick<Call, 'arguments' | 'arguments_raw'> {
  if (isObject(given)) return { arguments: given };
  if (given === undefined || given === null || given === '') return { arguments: {} };
  if (typeof given !== 'string') return { arguments_raw: stringifyJson(given) };
  if (given.trim() === '') return { arguments: {} };
  let decoded: unknown = given;
  for (let times = 0; times < 2 && typeof decoded === 'string'; times++) {
    try {
      decoded = parseJson(decoded);
    } catch {
      break; // no JSON: the text itself is all there is
    }
  }
  return isObject(decoded) ? { arguments: decoded } : { arguments_raw: given };
}

/** The AI SDK wraps a result with its kind: `{type: 'error-text', value}`. */
function unwrapped(value: unknown): { readonly inner: unknown; readonly failed: boolean } {
  if (!isObject(value) || !('value' in value) || typeof value['type'] !== 'string')
    return { inner: value, failed: false };
  return { inner: value['value'], failed: value['type'].startsWith('error') };
}

function blockWords(blocks: readonly JsonObject[]): unknown {
  const words = blocks.map(({ text }) => text).filter((text) => typeof text === 'string');
  return words.length > 0 || blocks.some((block) => block['type'] !== undefined) ? words.join('\n') : blocks;
}

/** The blocks of a message; a Responses item is a message of one block. */
function blocksOf(message: JsonObject): readonly JsonObject[] {
  if (message['role'] === undefined && (callTypes.has(message['type']) || resultTypes.has(message['type'])))
    return [message];
  return [message['content'], message['parts']].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}

const first = (value: JsonObject, keys: readonly string[]) =>
  textOf(keys.map((key) => value[key]).find((id) => id !== undefined && id !== null));
const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value));
