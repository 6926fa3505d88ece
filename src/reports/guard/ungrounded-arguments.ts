import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { type CallMade, callsMade } from '../../rows/calls-made.ts';
import { contentText } from '../../rows/content-text.ts';
import { nameWords } from '../../text/name-words.ts';
import { foldContext, isGrounded } from './grounded.ts';

export const groundingOptions = {
  minLen: z.int().min(1).default(3).describe('Shortest text that is checked, in folded characters.'),
  ignoreKeys: z.array(z.string()).default([]).describe('Arguments that need no source: free text the agent writes.'),
  allow: z.array(z.string()).default([]).describe('Values that need no source, whatever their case.'),
};
const options = z.strictObject(groundingOptions);
type Options = z.output<typeof options>;

/** An argument value that nobody said and no tool returned before. */
export interface UngroundedArgument {
  readonly tool: string;
  /** Dotted path: `address.city`, `tags.0`. */
  readonly key: string;
  readonly value: string | number | bigint;
}

/**
 * Find argument values that the agent made up: texts, and whole numbers of three digits or more under keys that name
 * records, which stand in no earlier user turn, system prompt or tool result. Case, spaces, `-` and `_` do not matter, the
 * edges of words do. A value in another form than it was said in (a date in words) reads as made up: see `allow`.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source house rule
 */
export function ungroundedArguments(
  row: JsonObject,
  given: z.input<typeof options> = {},
): readonly UngroundedArgument[] {
  return findUngrounded(row, parseOptions('ungroundedArguments', options, given));
}

/** The rule, with its options read. */
export function findUngrounded(row: JsonObject, opts: Options): readonly UngroundedArgument[] {
  const allowed = new Set(opts.allow.map(foldContext));
  let context = '';
  const found: UngroundedArgument[] = [];
  for (const event of eventsOf(row)) {
    if (typeof event === 'string') context += `\n${foldContext(event)}`;
    else
      for (const leaf of leavesOf(event.arguments, '')) {
        if (isChecked(leaf, opts, allowed) && !isGrounded(String(leaf.value), context))
          found.push({ tool: event.tool, ...leaf });
      }
  }
  return found;
}

interface Leaf {
  readonly key: string;
  readonly value: string | number | bigint;
}

function isChecked({ key, value }: Leaf, { minLen, ignoreKeys }: Options, allowed: ReadonlySet<string>): boolean {
  const name = key.split('.').findLast((part) => !/^\d+$/.test(part)) ?? key;
  if (ignoreKeys.includes(name) || ignoreKeys.includes(key)) return false;
  const text = foldContext(String(value));
  if (allowed.has(text)) return false;
  if (typeof value === 'string') return text.length >= minLen;
  return /^-?\d{3,}$/.test(String(value)) && recordWords.has(nameWords(name).at(-1) ?? '');
}

/** Last words of keys that name a record: `order_id`, `accountNumber`. */
const recordWords: ReadonlySet<string> = new Set(['id', 'ids', 'number', 'no', 'ref', 'reference', 'account', 'order']);

function leavesOf(value: unknown, path: string): readonly Leaf[] {
  const below = (key: string, inner: unknown) => leavesOf(inner, path === '' ? key : `${path}.${key}`);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return [{ key: path, value }];
  if (Array.isArray(value)) return value.flatMap((inner, n) => below(String(n), inner));
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => below(key, inner)) : [];
}

/** What was said and returned, as text, and the calls between, in order. */
function eventsOf(row: JsonObject): readonly (string | CallMade)[] {
  const messages = listOf(row['messages']);
  const opening = [row['system_prompt'], row['prompt']].filter((text) => typeof text === 'string');
  const steps = [row['steps'], row['tool_trace']].map(listOf).find((list) => list.length > 0) ?? [];
  const calls = callsMade(row);
  if (steps.length > 0) return [...opening, ...turnsOf(messages), ...stepEvents(steps, calls)];
  return calls.length > 0 && messages.length > 0
    ? [...opening, ...messageEvents(messages, calls)]
    : [...opening, ...calls];
}

/** Turns of the user and the system in a row that also has steps: what a person said later in time is taken as said. */
const turnsOf = (messages: readonly JsonObject[]): readonly string[] =>
  messages.filter(({ role }) => role === 'user' || role === 'system').map(({ content }) => contentText(content));

function stepEvents(steps: readonly JsonObject[], calls: readonly CallMade[]): readonly (string | CallMade)[] {
  const byStep = new Map(calls.map((call) => [call.step, call]));
  return steps.flatMap((step): (string | CallMade)[] => {
    if (typeof step['user'] === 'string') return [step['user']];
    const call = byStep.get(step);
    return call ? [call, textOfResult(call.result)] : [];
  });
}

/** Calls stand in messages in the order they were made; what came back is known from their results. */
function messageEvents(messages: readonly JsonObject[], calls: readonly CallMade[]): readonly (string | CallMade)[] {
  let made = 0;
  return messages.flatMap((message): (string | CallMade)[] => {
    const { role, content } = message;
    if (role === 'user' || role === 'system') return [contentText(content)];
    if (role === 'tool' || role === 'function') return [textOfResult(content)];
    const turn = calls.slice(made, made + callsIn(message));
    made += turn.length;
    return turn;
  });
}

function callsIn(message: JsonObject): number {
  const listed = listOf(message['tool_calls']).length;
  const blocks = listOf(message['content']).filter(({ type }) => type === 'tool_use' || type === 'tool_call').length;
  return listed + blocks + (isObject(message['function_call']) ? 1 : 0);
}

/** Every key and leaf of a result as words: escapes of JSON would hide them. */
function textOfResult(result: unknown): string {
  if (Array.isArray(result)) return result.map(textOfResult).join('\n');
  if (isObject(result))
    return Object.entries(result)
      .map(([key, value]) => `${key}: ${textOfResult(value)}`)
      .join('\n');
  return result === null || result === undefined ? '' : String(result);
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
