import { fieldsOf, firstOf, isObject, type JsonObject, listOf, textOf, written } from './fields.ts';
import { containerOf } from './json-text.ts';

/** Messages found in a payload, in the order they were said. */
export interface Payload {
  readonly messages: readonly unknown[];
  readonly finish?: string | undefined;
}

const none: Payload = { messages: [] };
const wrappers = ['inputs', 'outputs', 'output', 'input', 'args'];
const texts = ['prompt', 'question', 'query', 'input', 'task', 'answer', 'response', 'result', 'text', 'content'];
const isMessage = (value: unknown) =>
  isObject(value) && ('role' in value || 'lc' in value || 'parts' in value || 'from' in value || 'type' in value);
/** JSON inside JSON inside a payload is common; deeper than this is no message any more. */
const maxDepth = 8;

/**
 * Find the messages in what an instrumentation logged as input or output of a span: message lists, provider requests and
 * responses, LangChain inputs and generations, Gemini contents, wrapped or as JSON text; else the first text that a known
 * name holds; plain text is one message of `role`.
 */
export function payloadOf(value: unknown, role: 'user' | 'assistant', depth = 0): Payload {
  if (depth > maxDepth || value === undefined || value === null) return none;
  if (typeof value === 'string') return ofText(value, role, depth);
  if (Array.isArray(value)) return ofList(value, role, depth);
  return isObject(value) ? ofObject(value, role, depth) : { messages: [{ role, content: written(value) }] };
}

function ofText(value: string, role: 'user' | 'assistant', depth: number): Payload {
  const quoted = value.startsWith('"') ? unquoted(value) : value;
  const read = containerOf(quoted);
  if (read !== value) return payloadOf(read, role, depth + 1);
  return value.trim() === '' ? none : { messages: [{ role, content: value }] };
}

function unquoted(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value; // a text that begins with a quotation
  }
}

function ofList(list: readonly unknown[], role: 'user' | 'assistant', depth: number): Payload {
  const [first] = list;
  if (Array.isArray(first)) return payloadOf(first, role, depth + 1);
  if (list.some((one) => isObject(one) && ('role' in one || 'lc' in one || 'from' in one))) return { messages: list };
  if (list.some(isMessage)) {
    const parts = list.every(
      (one) => isObject(one) && /^(text|image|input_text|output_text)/.test(written(one['type'])),
    );
    return { messages: parts ? [{ role, content: list }] : list };
  }
  return list.length === 0 ? none : payloadOf(first, role, depth + 1);
}

function ofObject(value: JsonObject, role: 'user' | 'assistant', depth: number): Payload {
  for (const read of shapes) {
    const found = read(value, role, depth);
    if (found && found.messages.length > 0) return found;
  }
  return none;
}

type Shape = (value: JsonObject, role: 'user' | 'assistant', depth: number) => Payload | undefined;
const shapes: readonly Shape[] = [
  ({ messages, system }, role, depth) => {
    if (messages === undefined) return undefined;
    const house = system === undefined ? [] : [{ role: 'system', content: system }];
    return { messages: [...house, ...payloadOf(messages, role, depth + 1).messages] };
  },
  ({ choices }) => {
    const choice = fieldsOf(listOf(choices)[0]);
    const message = choice['message'] ?? choice['delta'];
    if (message === undefined) return undefined;
    return { messages: [{ role: 'assistant', ...fieldsOf(message) }], finish: textOf(choice['finish_reason']) };
  },
  ({ generations }) => {
    const first = listOf(generations)[0];
    const one = fieldsOf(Array.isArray(first) ? first[0] : first);
    const message = one['message'] ?? (textOf(one['text']) ? { role: 'assistant', content: one['text'] } : undefined);
    const finish = textOf(firstOf(fieldsOf(one['generation_info']), ['finish_reason', 'stop_reason']));
    return message === undefined ? undefined : { messages: [message], finish };
  },
  ({ contents, config, system_instruction, systemInstruction }) => {
    if (contents === undefined) return undefined;
    const house = fieldsOf(config)['system_instruction'] ?? system_instruction ?? systemInstruction;
    const system = house === undefined || house === null ? [] : [{ role: 'system', content: house }];
    return { messages: [...system, ...(Array.isArray(contents) ? contents : [contents])] };
  },
  ({ candidates }) => {
    const candidate = fieldsOf(listOf(candidates)[0]);
    const finish = textOf(firstOf(candidate, ['finishReason', 'finish_reason']))?.toLowerCase();
    return candidate['content'] === undefined ? undefined : { messages: [candidate['content']], finish };
  },
  ({ content, finish_reason, finishReason }, role) => {
    const finish = textOf(finish_reason ?? finishReason)?.toLowerCase();
    return isObject(content) && 'parts' in content ? { messages: [{ role, ...content }], finish } : undefined;
  },
  (value) =>
    'role' in value || 'lc' in value
      ? { messages: [value], finish: textOf(firstOf(value, ['finish_reason', 'stop_reason'])) }
      : undefined,
  ({ output, status }) =>
    Array.isArray(output) && output.some((one) => isObject(one) && typeof one['type'] === 'string')
      ? { messages: output, finish: textOf(status) }
      : undefined,
  (value, role, depth) => {
    for (const name of wrappers) {
      if (value[name] === undefined || value[name] === null) continue;
      const found = payloadOf(value[name], role, depth + 1);
      if (found.messages.length > 0) return found;
    }
    return undefined;
  },
  (value, role) => {
    const name = texts.find((one) => textOf(value[one]) !== undefined);
    return name === undefined ? undefined : { messages: [{ role, content: value[name] }] };
  },
  ({ content }, role) => (Array.isArray(content) ? { messages: [{ role, content }] } : undefined),
];
