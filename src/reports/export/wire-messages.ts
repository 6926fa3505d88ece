import { parseJson, stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { contentText, messageText } from '../../rows/content-text.ts';
import { numericOf } from '../../rows/numeric.ts';
import { type Call, callsOf, resultsOf } from '../../rows/tool-calls.ts';
import type { Weight } from './loss-mask.ts';

export interface WireOptions {
  readonly systemPrompt: string;
  /** It stands in place of the conversation's own, not before it. */
  readonly isGiven?: boolean;
  readonly stripThink: boolean;
  readonly maxToolOutputChars: number | undefined;
}

/** Messages as OpenAI-compatible trainers read them, what each weighs in the loss, and what was cut from tool output. */
export interface Wired {
  readonly messages: readonly JsonObject[];
  /** One for each message; undefined where nothing was said. */
  readonly weights: readonly Weight[];
  readonly outputsCut: number;
  readonly charsCut: number;
}

/**
 * Write messages on the OpenAI wire: `content` is always text, arguments are JSON text encoded once, every call has an id
 * and every result the id of its call. A system prompt stands before them, one that is given in place of their own. A message weighs what `weights` says of it,
 * else what it says itself.
 */
export function wireMessages(
  messages: readonly unknown[],
  options: WireOptions,
  weights: readonly Weight[] = [],
): Wired {
  const links = callLinks();
  const written = messages.flatMap((message, n): readonly Turn[] => {
    if (!isObject(message) || isLeft(message, options)) return [];
    const weight = weights[n] ?? numericOf(message['loss_weight'] ?? message['weight']);
    return turnsOf(message, links, options).map((turn) => ({ ...turn, weight }));
  });
  const system = options.systemPrompt === '' ? [] : [{ role: 'system', content: options.systemPrompt }];
  const cut = written.map(({ cut }) => cut).filter((chars) => chars > 0);
  return {
    messages: [...system, ...written.map(({ turn }) => turn)],
    weights: [...system.map(() => undefined), ...written.map(({ weight }) => weight)],
    outputsCut: cut.length,
    charsCut: cut.reduce((sum, chars) => sum + chars, 0),
  };
}

const isLeft = ({ role, content }: JsonObject, { systemPrompt, isGiven = false }: WireOptions): boolean =>
  systemPrompt !== '' && (role === 'system' || role === 'developer') && (isGiven || contentText(content).trim() === '');

interface Turn {
  readonly turn: JsonObject;
  /** Characters cut from it. */
  readonly cut: number;
  readonly weight?: Weight;
}

function turnsOf(message: JsonObject, links: ReturnType<typeof callLinks>, options: WireOptions): readonly Turn[] {
  const { role } = message;
  const text = messageText(message);
  if (role === 'assistant' || role === 'model') {
    const content = options.stripThink ? withoutThinking(text) : text;
    const calls = callsOf(message).map((call) => wireCall(call, links.open(call.id)));
    return [uncut({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) })];
  }
  if (role === 'system' || role === 'developer') return [uncut({ role: 'system', content: text })];
  const results = resultsOf(message).map(({ id, name, result }) => {
    const words = typeof result === 'string' ? result : stringifyJson(result ?? null);
    return toolTurn(words, name, links.answer(id), options);
  });
  const isTool = role === 'tool' || role === 'function';
  if (isTool && results.length === 0) return [toolMessage(message, text, links, options)];
  return isTool || (text === '' && results.length > 0) ? results : [...results, uncut({ role: 'user', content: text })];
}

function toolMessage(
  message: JsonObject,
  text: string,
  links: ReturnType<typeof callLinks>,
  options: WireOptions,
): Turn {
  const id = message['tool_call_id'] ?? message['tool_use_id'] ?? '';
  return toolTurn(text, String(message['name'] ?? ''), links.answer(String(id)), options);
}

/** Ids of calls without one count up over the row; a result without one takes the oldest call that has no answer yet. */
function callLinks() {
  const open: string[] = [];
  let calls = 0;
  return {
    open(given: string): string {
      const id = given === '' ? `call_${String(calls).padStart(4, '0')}` : given;
      calls++;
      open.push(id);
      return id;
    },
    answer(given: string): string {
      if (given === '') return open.shift() ?? '';
      const at = open.indexOf(given);
      if (at >= 0) open.splice(at, 1);
      return given;
    },
  };
}

function wireCall(call: Call, id: string): JsonObject {
  const given = call.arguments ?? decoded(call.arguments_raw ?? '');
  const text = typeof given === 'string' ? given : stringifyJson(given);
  return { id, type: 'function', function: { name: call.name, arguments: text } };
}

/** Arguments that were encoded more than once; text that says no JSON stays. */
function decoded(text: string): unknown {
  let value: unknown = text;
  for (let times = 0; times < 3 && typeof value === 'string'; times++) {
    try {
      value = parseJson(value);
    } catch {
      return value;
    }
  }
  return value;
}

function toolTurn(text: string, name: string, id: string, { maxToolOutputChars: cap }: WireOptions): Turn {
  const cut = cap === undefined ? 0 : Math.max(0, text.length - cap);
  const content = cut === 0 ? text : `${text.slice(0, cap)}\n[${cut} characters of tool output cut]`;
  const named = { role: 'tool', content, ...(name === '' ? {} : { name }), ...(id === '' ? {} : { tool_call_id: id }) };
  return { turn: named, cut };
}

const uncut = (turn: JsonObject): Turn => ({ turn, cut: 0 });

/** Hidden reasoning is not a turn of the conversation. */
const withoutThinking = (text: string) => text.replace(/<think>[\s\S]*?<\/think>\s*/gi, '').trim();
