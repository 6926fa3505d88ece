import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { ChatReply, ToolCall } from './chat-model.ts';
import { HostError } from './retry.ts';

/**
 * Read a chat completion as hosts send it: text as a string or in parts, calls with arguments as text or as an object,
 * refusals, usage and log-probabilities where there are some.
 *
 * @throws TM_MODEL invalid_reply - no choice with a message; it may be tried again
 */
export function readCompletion(completion: JsonObject, asked: string): ChatReply {
  const { choices, model, usage } = completion;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice['message'] : undefined;
  if (!isObject(choice) || !isObject(message)) throw unreadable(completion);
  const refusal = typeof message['refusal'] === 'string' ? message['refusal'] : '';
  const text = textOf(message['content']);
  const calls = callsOf(message);
  const tokens = isObject(usage) ? usageOf(usage) : undefined;
  const tokenLogprobs = logprobsOf(choice['logprobs']);
  return {
    text: withOpening(text || refusal),
    calls,
    finish: finishOf(choice['finish_reason'], calls.length > 0),
    isRefusal: refusal !== '' || choice['finish_reason'] === 'content_filter',
    model: typeof model === 'string' && model !== '' ? model : asked,
    ...(tokens ? { usage: tokens } : {}),
    ...(tokenLogprobs ? { tokenLogprobs } : {}),
  };
}

const unreadable = (completion: JsonObject) => {
  const said = isObject(completion['error']) ? `: ${String(completion['error']['message'])}` : '';
  return new HostError(`the reply holds no message${said}`, { reason: 'invalid_reply', retriable: true });
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

/** Some templates open the thought in the prompt: the reply then starts inside of it. */
const withOpening = (text: string): string => {
  const closing = text.search(/<\/think>/i);
  const opening = text.search(/<think>/i);
  return closing >= 0 && (opening < 0 || opening > closing) ? `<think>${text}` : text;
};

function callsOf({ tool_calls, function_call }: JsonObject): readonly ToolCall[] {
  const listed = Array.isArray(tool_calls) ? tool_calls.filter(isObject) : [];
  const legacy = isObject(function_call) ? [{ function: function_call }] : [];
  return [...listed, ...(listed.length === 0 ? legacy : [])].flatMap((call: JsonObject, n) => {
    const { id, function: called } = call;
    if (!isObject(called) || typeof called['name'] !== 'string' || called['name'] === '') return [];
    const given = called['arguments'];
    const raw = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    return [
      {
        id: typeof id === 'string' && id !== '' ? id : `call_${n}`,
        name: called['name'],
        raw,
        arguments: argumentsOf(raw),
      },
    ];
  });
}

/** Decode arguments until they are an object, at most twice: some models quote their JSON. */
function argumentsOf(raw: string): JsonObject | undefined {
  let value: unknown = raw.trim() === '' ? {} : raw;
  for (let n = 0; n < 2 && typeof value === 'string'; n++)
    try {
      value = parseJson(value);
    } catch {
      return undefined; // the raw text stays beside it
    }
  return isObject(value) ? value : undefined;
}

function finishOf(word: unknown, calls: boolean): ChatReply['finish'] {
  if (word === 'length') return 'length';
  if (calls) return 'tool';
  return word === 'error' ? 'error' : 'stop';
}

function usageOf(usage: JsonObject): ChatReply['usage'] {
  const [input_tokens, output_tokens] = [
    usage['prompt_tokens'] ?? usage['input_tokens'],
    usage['completion_tokens'] ?? usage['output_tokens'],
  ];
  return typeof input_tokens === 'number' && typeof output_tokens === 'number'
    ? { input_tokens, output_tokens }
    : undefined;
}

function logprobsOf(logprobs: unknown): readonly number[] | undefined {
  const content = isObject(logprobs) ? logprobs['content'] : undefined;
  if (!Array.isArray(content)) return undefined;
  const numbers = content.map((token) => (isObject(token) ? token['logprob'] : undefined));
  return numbers.every((one): one is number => typeof one === 'number') ? numbers : undefined;
}
