import { TracemillError } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import type { JsonObject } from '../core/json-object.ts';
import { type Backend, type Env, keyOf } from './backend-spec.ts';
import type { ChatReply } from './chat-model.ts';
import type { ResponseCache } from './response-cache.ts';
import { HostError, type RetryOptions, waitAsked, withRetries } from './retry.ts';

/** A model behind one address that takes JSON and gives JSON: a reward model, a decision model. */
export interface JsonModel {
  readonly url: string;
  /**
   * Send one body. `repeat` tells equal bodies apart and is never sent.
   *
   * @throws TM_AUTH - the host refused the key
   * @throws TM_MODEL - the host failed for good: `reason` says how
   */
  ask(body: JsonObject, repeat: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

interface PostPorts {
  readonly env: Env;
  readonly cache: ResponseCache | undefined;
  readonly fetch: typeof fetch;
  readonly clock: () => number;
  readonly requestTimeoutMs: number;
  readonly retry: RetryOptions;
}

/** Open an address. An answer is stored under its request before it is used, as the replies of chat models are. */
export function jsonModel(url: string, keyName: string, ports: PostPorts): JsonModel {
  const backend: Backend = { baseURL: url, model: '', keyName };
  const apiKey = keyOf(backend, ports.env);
  const { cache, retry } = ports;
  return {
    url,
    async ask(body, repeat, signal) {
      const key = idOf([url, body, repeat], 32);
      const known = cache?.get(key);
      if (known) return parseJson(known.text);
      const answer = await withRetries(() => postOnce(url, apiKey, body, signal, ports), retry, [key], signal);
      if (!cache) return answer;
      await cache.set(key, asReply(stringifyJson(answer ?? null) ?? 'null', url));
      return parseJson((cache.get(key) ?? asReply('null', url)).text); // another process may have been first
    },
  };
}

const asReply = (text: string, model: string): ChatReply => ({
  text,
  calls: [],
  finish: 'stop',
  isRefusal: false,
  model,
});

async function postOnce(url: string, apiKey: string, body: JsonObject, signal: AbortSignal, ports: PostPorts) {
  const { host } = new URL(url);
  const late = AbortSignal.timeout(ports.requestTimeoutMs);
  const response = await ports
    .fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: stringifyJson(body) ?? '',
      signal: AbortSignal.any([signal, late]),
    })
    .catch((cause: unknown) => {
      const [reason, said] = late.aborted
        ? ['timeout', `no answer in ${ports.requestTimeoutMs} ms`]
        : ['connection', `cannot be reached: ${String(cause)}`];
      throw new HostError(`${host}: ${said}`, { reason, retriable: true, cause });
    });
  const text = await response.text();
  if (response.ok) return readAnswer(text, host);
  const said = `${host}: ${response.status} ${text.slice(0, 300)}`;
  if (response.status === 401 || response.status === 403) throw new TracemillError('TM_AUTH', said);
  const isRetriable = [408, 409, 425, 429].includes(response.status) || response.status >= 500;
  throw new HostError(said, {
    reason: response.status === 429 ? 'rate_limited' : isRetriable ? 'server_error' : 'bad_request',
    retriable: isRetriable,
    waitMs: waitAsked(response.headers, ports.clock()),
  });
}

function readAnswer(text: string, host: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new HostError(`${host}: the answer is no JSON: ${text.slice(0, 100)}`, {
      reason: 'invalid_reply',
      retriable: false,
      cause,
    });
  }
}
