import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import type { Clock } from '../core/clock.ts';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { ChatRequest } from './chat-model.ts';
import { HostError, waitAsked } from './retry.ts';

/** The two calls we make of an OpenAI-compatible host. */
export interface ChatHost {
  /** The completion as the host sent it; a streamed one is put together. Fails with TM_AUTH or a HostError. */
  complete(model: string, request: ChatRequest, signal: AbortSignal): Promise<JsonObject>;
  /** The name of the first model the host has. */
  firstModel(signal: AbortSignal): Promise<string>;
}

export interface HostOptions {
  readonly baseURL: string;
  readonly apiKey: string;
  /** Ask for a streamed reply: long replies then show that they live. */
  readonly stream: boolean;
  readonly clock: Clock;
  readonly fetch?: typeof fetch | undefined;
}

/** Talk to an OpenAI-compatible host through the openai package. It makes one try: retries are the caller's. */
export function openaiHost({ baseURL, apiKey, stream, clock, fetch }: HostOptions): ChatHost {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, timeout: 2 ** 31 - 1, ...(fetch ? { fetch } : {}) });
  const attempt = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw asHostError(error, new URL(baseURL).host, clock());
    }
  };
  return {
    complete: (model, request, signal) =>
      attempt(async () => {
        const body = bodyOf(model, request);
        if (!stream) return asObject(await client.chat.completions.create({ ...body, stream: false }, { signal }));
        const options = { stream: true, stream_options: { include_usage: true } } as const;
        const chunks = await client.chat.completions.create({ ...body, ...options }, { signal });
        return joined(chunks);
      }),
    firstModel: (signal) =>
      attempt(async () => {
        const { data } = await client.models.list({ signal });
        const first = data?.[0]?.id;
        if (first === undefined)
          throw new TracemillError('TM_MODEL', `${baseURL} lists no model; name one: ${baseURL}#<model>`);
        return first;
      }),
  };
}

/** A completion is an object; what else a host sends with status 200 is not readable. */
function asObject(completion: ChatCompletion): JsonObject {
  if (completion === null || typeof completion !== 'object') throw new SyntaxError('the reply is no JSON object');
  return completion as unknown as JsonObject; // read field by field: hosts differ from the package's types
}

function bodyOf(model: string, request: ChatRequest): Omit<ChatCompletionCreateParams, 'stream'> {
  const { messages, tools = [], toolChoice, temperature, maxTokens, stop, seed, logprobs, schema } = request;
  const body = {
    model,
    messages,
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && toolChoice !== undefined ? { tool_choice: toolChoice } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stop === undefined ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(logprobs ? { logprobs: true } : {}),
    ...(schema
      ? { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } } }
      : {}),
  };
  return body as unknown as ChatCompletionCreateParams; // read-only lists, which the package's types do not know
}

interface CallParts {
  id: string;
  name: string;
  arguments: string;
}

/** Put the pieces of a stream together as the completion they stand for: text, calls by their index, the last usage. */
async function joined(chunks: AsyncIterable<ChatCompletionChunk>): Promise<JsonObject> {
  const said = { content: '', refusal: '' };
  const calls: CallParts[] = [];
  const logprobs: unknown[] = [];
  let [finish_reason, model, usage, seen]: unknown[] = [null, undefined, undefined, 0];
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0];
    model = chunk.model ?? model;
    usage = chunk.usage ?? usage;
    if (!choice) continue;
    seen = Number(seen) + 1;
    finish_reason = choice.finish_reason ?? finish_reason;
    said.content += choice.delta?.content ?? '';
    said.refusal += choice.delta?.refusal ?? '';
    logprobs.push(...(choice.logprobs?.content ?? []));
    for (const part of choice.delta?.tool_calls ?? []) addCall(calls, part);
  }
  if (seen === 0) throw new SyntaxError('the stream held no reply');
  const tool_calls = calls.filter(Boolean).map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const message = { role: 'assistant', ...said, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
  const choice = { message, finish_reason, ...(logprobs.length > 0 ? { logprobs: { content: logprobs } } : {}) };
  return { model, choices: [choice], usage };
}

type CallDelta = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

function addCall(calls: CallParts[], { index, id, function: part }: CallDelta): void {
  const at = index ?? calls.length;
  const call = calls[at] ?? { id: '', name: '', arguments: '' };
  calls[at] = {
    id: call.id || (id ?? ''),
    name: call.name + (part?.name ?? ''),
    arguments: call.arguments + (part?.arguments ?? ''),
  };
}

/** Sort out what went wrong: a refused key, something to try again, or a call that will never work. */
function asHostError(error: unknown, host: string, now: number): TracemillError {
  if (error instanceof TracemillError) return error;
  if (error instanceof APIUserAbortError) return failed(`${host}: the call was given up`, 'timeout', true, error);
  if (error instanceof APIConnectionTimeoutError) return failed(`${host}: no answer in time`, 'timeout', true, error);
  if (error instanceof APIConnectionError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return failed(`${host} cannot be reached${cause}`, 'connection', true, error);
  }
  if (error instanceof APIError && typeof error.status === 'number') return ofStatus(error, error.status, host, now);
  const text = error instanceof Error ? error.message : String(error);
  return failed(`${host}: the answer cannot be read: ${text}`, 'invalid_reply', true, error);
}

const failed = (message: string, reason: string, retriable: boolean, cause: unknown, waitMs?: number) =>
  new HostError(message, { reason, retriable, cause, waitMs });

function ofStatus(error: APIError, status: number, host: string, now: number): TracemillError {
  const said = `${host}: ${error.message.startsWith(String(status)) ? '' : `${status} `}${error.message.slice(0, 300)}`; // the package puts it there already
  if (status === 401 || status === 403) return new TracemillError('TM_AUTH', said, { cause: error });
  const waitMs = error.headers ? waitAsked(error.headers, now) : undefined;
  const isSpent = error.code === 'insufficient_quota' || /quota|billing|credit balance/i.test(error.message);
  if (status === 402 || (status === 429 && isSpent)) return failed(said, 'quota_exceeded', false, error);
  if (status === 429) return failed(said, 'rate_limited', true, error, waitMs);
  if (status === 408) return failed(said, 'timeout', true, error, waitMs);
  if (status === 409 || status === 425 || status >= 500) return failed(said, 'server_error', true, error, waitMs);
  return failed(said, 'bad_request', false, error);
}
