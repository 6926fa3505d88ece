import { entryOf, fieldsOf, firstOf, isObject, type JsonObject, listOf, textOf, written } from './fields.ts';
import type { Call, Item } from './item.ts';
import { containerOf } from './json-text.ts';
import { callOf, callsOf, itemsOfPart, leftOutOf, resultOf } from './message-parts.ts';

type Role = 'system' | 'user' | 'assistant' | 'tool' | 'call';

/** Whose turn a message is, by the words that stacks use. */
const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  instruction: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  chatbot: 'assistant',
  aimessagechunk: 'assistant',
  tool: 'tool',
  function: 'tool',
  observation: 'tool',
  toolresult: 'tool',
  function_call: 'call',
  tool_call: 'call',
};
const contentNames = ['content', 'parts', 'value', 'text', 'contents'];
const parts = (message: JsonObject): readonly unknown[] => {
  const content = firstOf(message, contentNames);
  if (isObject(content) && Array.isArray(content['parts'])) return content['parts'];
  const read = Array.isArray(content) ? content : partsText(content);
  return Array.isArray(read) ? read : read === undefined ? [] : [read];
};
/** Content written as the JSON text of its parts, as flattened span attributes carry it. */
function partsText(content: unknown): unknown {
  if (typeof content !== 'string' || !/^\s*\[\s*\{\s*"(?:type|kind|toolCallId|function)"/.test(content)) return content;
  return containerOf(content);
}

/**
 * Read messages of any stack into what happened: OpenAI chat and Responses items, Anthropic blocks, Gemini contents, the
 * parts of the OpenTelemetry conventions, AI SDK parts, LangChain messages, ShareGPT turns. Malformed members are
 * skipped, never thrown. `role` is whose turn a message without a role is.
 */
export function itemsOfMessages(messages: readonly unknown[], role: 'user' | 'assistant' = 'user'): Item[] {
  const items: Item[] = [];
  for (let n = 0; n < messages.length; n++) items.push(...itemsAt(messages, n, role));
  return items;
}

/** Read one of them: what it says, and whether it leads to calls, which the next one tells. */
export const itemsAt = (messages: readonly unknown[], n: number, role: 'user' | 'assistant'): Item[] =>
  itemsOfMessage(messages[n], role, startsCall(messages[n + 1]));

/** The next Responses item is a call of the same turn. */
const startsCall = (next: unknown) =>
  isObject(next) && next['role'] === undefined && /^(function|custom_tool|mcp)_call$/.test(written(next['type']));

const isCallType = (type: string) => type === 'function_call' || type === 'tool_call';

function itemsOfMessage(raw: unknown, fallback: Role, leads: boolean): Item[] {
  if (typeof raw === 'string') return turn(fallback, [{ kind: 'text', text: raw }], [], leads);
  if (!isObject(raw)) return [];
  const message = unwrap(raw);
  const word = written(firstOf(message, ['role', 'from', 'author']) ?? '').toLowerCase();
  const type = written(message['type'] ?? '').toLowerCase();
  const role = entryOf(roles, word) ?? (word === '' && !isCallType(type) ? entryOf(roles, type) : undefined);
  if (role === undefined && word === '' && type !== '' && type !== 'message') return itemsOfPart(message);
  if (role === 'tool') return answers(message);
  if (role === 'call') return callsOfText(firstOf(message, contentNames));
  const read = withSpoken(itemsOfParts(message), message);
  const told = turn(role ?? fallback, read, listedCalls(message), leads);
  const left = read.filter(isLeftOut);
  return left.length > 0 ? [...told, ...left] : told;
}

/** What a model said beside the content of its message: why it refuses, or the words of what it spoke aloud. */
function withSpoken(read: Item[], message: JsonObject): Item[] {
  const { refusal, audio } = message;
  const text = textOf(refusal) ?? (isObject(audio) ? textOf(audio['transcript']) : undefined);
  if (text === undefined || read.some((item) => item.kind === 'text' && item.text === text)) return read;
  return [...read, { kind: 'text', text }];
}

function itemsOfParts(message: JsonObject): Item[] {
  const [only, ...others] = parts(message);
  return others.length === 0 ? itemsOfPart(only) : [only, ...others].flatMap(itemsOfPart);
}

const noCalls: readonly Call[] = [];

/** The calls that stand beside the content of a message. */
function listedCalls(message: JsonObject): readonly Call[] {
  const { tool_calls, toolCalls, additional_kwargs, function_call } = message;
  const listed = tool_calls ?? toolCalls;
  if (listed === undefined && additional_kwargs === undefined && function_call === undefined) return noCalls;
  return [
    ...callsOf(listed),
    ...callsOf(fieldsOf(additional_kwargs)['tool_calls']),
    ...(isObject(function_call) ? callsOf([function_call]) : []),
  ];
}

/** LangChain writes a message as a constructor call or as `{type, data}`. */
function unwrap(message: JsonObject): JsonObject {
  if (isObject(message['kwargs']) && Array.isArray(message['id'])) {
    const kind = written(message['id'].at(-1))
      .replace(/Message(Chunk)?$/, '')
      .toLowerCase();
    return { ...message['kwargs'], role: kind };
  }
  if (isObject(message['data']) && typeof message['type'] === 'string' && message['role'] === undefined)
    return { ...message['data'], role: message['type'] };
  if (isObject(message['message']) && message['role'] === undefined) return message['message'];
  return message;
}

/** A turn in the order it is told: answers first on a user message; on an assistant's, the text before its calls. */
function turn(role: Role, read: readonly Item[], listed: readonly Call[], leads: boolean): Item[] {
  if (role === 'assistant') return agentTurn(read, listed, leads);
  const text = joined(read);
  const answers = read.filter((item) => item.kind === 'result' || item.kind === 'call');
  const kind = role === 'system' ? 'system' : 'user';
  return [...answers, ...(text === '' ? [] : [{ kind, text } as const])];
}

function agentTurn(read: readonly Item[], listed: readonly Call[], leads: boolean): Item[] {
  if (listed.length === 0 && !read.some(isResult)) return move(read, leads);
  const seen = new Set(read.flatMap((item) => (item.kind === 'call' && item.id !== undefined ? [item.id] : [])));
  const inParts = read.some((item) => item.kind === 'call');
  const extra = listed.filter((call) => (call.id === undefined ? !inParts : !seen.has(call.id)));
  const items: Item[] = [];
  let segment: Item[] = [];
  for (const item of [...read, ...extra]) {
    // a text after an answer starts the next move of a turn that holds several
    if (item.kind === 'text' && segment.some(isResult)) {
      items.push(...move(segment, false));
      segment = [];
    }
    segment.push(item);
  }
  return [...items, ...move(segment, leads)];
}

function move(segment: readonly Item[], leads: boolean): Item[] {
  const text = joined(segment);
  const calls = segment.filter((item) => item.kind === 'call');
  const results = segment.filter(isResult);
  if (text === '') return [...calls, ...results];
  const isLead = calls.length > 0 || leads;
  return [isLead ? { kind: 'text', text, leads: true } : { kind: 'text', text }, ...calls, ...results];
}

const isLeftOut = ({ kind }: Item) => kind === 'left_out';
const isResult = ({ kind }: Item) => kind === 'result';

function joined(items: readonly Item[]): string {
  let all = '';
  for (const item of items)
    if (item.kind === 'text' && item.text !== '') all = all === '' ? item.text : `${all}\n${item.text}`;
  return all;
}

/**
 * A tool message is one answer, unless its parts are answers themselves. Some stacks log calls and the declarations of
 * tools under that role too: a call is read as one, a declaration says nothing.
 */
function answers(message: JsonObject): Item[] {
  if (isDeclaration(firstOf(message, contentNames))) return [];
  const items = itemsOfParts(message);
  if (items.length > 0 && items.every(({ kind }) => kind === 'call')) return items;
  const inside = items.filter(isResult);
  if (inside.length > 0) return items.filter((item) => isResult(item) || isLeftOut(item));
  const name = textOf(firstOf(message, ['name', 'toolName', 'tool_name', 'function']));
  const failed = message['is_error'] === true || message['status'] === 'error';
  const result = resultOf({ ...message, ...(name === undefined ? {} : { name }), is_error: failed }, contentNames);
  return [result, ...leftOutOf(firstOf(message, contentNames), result.value)];
}

const isDeclaration = (content: unknown) =>
  isObject(content) && content['type'] === 'function' && isObject(fieldsOf(content['function'])['parameters']);

/** A turn that is nothing but calls, written as JSON text: one call or a list. */
function callsOfText(content: unknown): Item[] {
  const value = containerOf(content);
  return (Array.isArray(value) ? value : listOf([value])).flatMap((one) => callOf(one) ?? []);
}
